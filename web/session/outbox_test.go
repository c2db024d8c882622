package session

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// all removes and returns all messages, in order.
func (m *outbox) all() (list []string) {
	for {
		data, ok := m.Next()
		if !ok {
			return list
		}
		list = append(list, string(data))
	}
}

func expectOutgoing(t *testing.T, m *outbox, want ...string) {
	t.Helper()
	if got := m.all(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOutboxKeepsOrder(t *testing.T) {
	m := newOutbox()
	m.keep([]byte("hello"))
	m.keep([]byte("player"))
	m.putState([]byte("state"), false)
	m.putTimeline([]byte("timeline"))
	m.keep([]byte("ack"))
	expectOutgoing(t, m, "hello", "player", "state", "timeline", "ack")
	expectOutgoing(t, m)
}

// A state that no other outbox has can be used again after the next call of take, and not before. One that is shared
// cannot.
func TestOutboxReleasesOwnStates(t *testing.T) {
	m := newOutbox()
	m.putState([]byte("own"), true)
	m.Next()
	if string(m.spent) != "own" {
		t.Errorf("kept %q until the next message", m.spent)
	}
	m.putState([]byte("shared"), false)
	m.Next()
	if m.spent != nil {
		t.Errorf("kept %q, which other outboxes have", m.spent)
	}
}

// There is room for a few frames. A further delta is dropped, and then a state is needed.
func TestOutboxHasRoomForAFewFrames(t *testing.T) {
	m := newOutbox()
	var want []string
	for i := range FramesWaitingMax {
		if late := m.putDelta([]byte(fmt.Sprint(i))); late != (i > 0) {
			t.Errorf("delta %d: late %v", i, late)
		}
		want = append(want, fmt.Sprint(i))
	}
	m.keep([]byte("ack"))
	if !m.putDelta([]byte("too many")) {
		t.Error("a delta was dropped in time")
	}
	if m.needsState() {
		t.Error("a state is needed though messages wait")
	}
	expectOutgoing(t, m, append(want, "ack")...)
	if !m.needsState() {
		t.Error("behind and free again, and no state is needed")
	}
	m.putDelta([]byte("later"))
	expectOutgoing(t, m) // a delta can't follow a missing one
	m.putState([]byte("state"), false)
	if m.needsState() {
		t.Error("a state is needed after a state")
	}
	m.putDelta([]byte("behind the state"))
	expectOutgoing(t, m, "state", "behind the state")
	if m.putDelta([]byte("6")) {
		t.Error("late though everything was taken")
	}
	expectOutgoing(t, m, "6")
}

// Waiting frames are limited in bytes; a single frame may be larger.
func TestOutboxFramesAreBoundedInBytes(t *testing.T) {
	m, large := newOutbox(), make([]byte, FrameBytesWaitingMax/2)
	for range 2 {
		m.putDelta(large)
	}
	if m.needsState() || m.behind {
		t.Error("behind at the bound")
	}
	if m.putDelta([]byte("x")); !m.behind {
		t.Error("not behind past the bound")
	}
	m.all()
	m.putState(make([]byte, 2*FrameBytesWaitingMax), false)
	if m.putDelta([]byte("x")); !m.behind {
		t.Error("not behind a state of twice the bound")
	}
	m.all()
	m.putState(nil, false)
	m.all()
	if m.putDelta(make([]byte, 2*FrameBytesWaitingMax)); m.behind {
		t.Error("a large delta is dropped though none waits")
	}
}

// A state replaces every frame before it, and follows the other messages queued since.
func TestOutboxStateTakesTheFramesPlace(t *testing.T) {
	m := newOutbox()
	m.putDelta([]byte("old run's delta"))
	m.keep([]byte("hello"))
	m.putState([]byte("state"), false)
	expectOutgoing(t, m, "hello", "state")
	m.putState([]byte("1"), false)
	m.putState([]byte("2"), false)
	expectOutgoing(t, m, "2")
}

func TestOutboxHasOnePlaceForATimeline(t *testing.T) {
	m := newOutbox()
	m.putTimeline([]byte("1"))
	m.putDelta([]byte("delta"))
	m.putTimeline([]byte("2"))
	expectOutgoing(t, m, "delta", "2")
}

// Messages that must not be dropped are limited. One too many sets `over`.
func TestOutboxOverflows(t *testing.T) {
	m := newOutbox()
	for i := range MessagesWaitingMax {
		m.keep([]byte(fmt.Sprint(i)))
	}
	if m.Overflowed() {
		t.Fatalf("over with %d messages", MessagesWaitingMax)
	}
	if _, ok := m.Next(); !ok {
		t.Fatal("nothing to take")
	}
	m.keep([]byte("room again"))
	if m.Overflowed() {
		t.Fatal("over though one was taken")
	}
	m.keep([]byte("too many"))
	if !m.Overflowed() || len(m.all()) != MessagesWaitingMax {
		t.Error("the bound does not hold")
	}
}

// A sent message is released: a state may be many megabytes.
func TestOutboxReleasesMessages(t *testing.T) {
	m := newOutbox()
	for range 3 {
		m.keep([]byte("x"))
		m.putState([]byte("y"), false)
	}
	m.all()
	for _, left := range m.queue[:cap(m.queue)] {
		if left.data != nil {
			t.Errorf("%q is still held", left.data)
		}
	}
}

func TestOutboxRings(t *testing.T) {
	for what, put := range map[string]func(*outbox, []byte){"keep": (*outbox).keep, "state": func(m *outbox, data []byte) { m.putState(data, false) }, "delta": func(m *outbox, data []byte) { m.putDelta(data) }, "timeline": (*outbox).putTimeline} {
		m := newOutbox()
		for range 3 { // a signal without a receiver does not block
			put(m, nil)
		}
		select {
		case <-m.ready:
		default:
			t.Errorf("%s does not wake the writer", what)
		}
	}
}

// For any sequence of operations, messages that must be kept arrive completely and in order, and a
// delta is accepted only if every frame since the last state was accepted.
func TestOutboxModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newOutbox()
		kept, taken, frame := 0, 0, 0
		has := 0 // the client's current frame; it begins with the first
		take := func(*rapid.T) {
			data, ok := m.Next()
			if !ok {
				return
			}
			var kind string
			var n int
			fmt.Sscanf(string(data), "%s %d", &kind, &n)
			switch {
			case kind == "kept" && n != taken:
				t.Fatalf("message %d arrived in place %d", n, taken)
			case kind == "kept":
				taken++
			case kind == "state":
				has = n
			case kind == "delta" && n != has+1:
				t.Fatalf("delta %d on top of frame %d", n, has)
			case kind == "delta":
				has = n
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"keep": func(*rapid.T) {
				if kept-taken < MessagesWaitingMax {
					m.keep([]byte(fmt.Sprintf("kept %d", kept)))
					kept++
				}
			},
			"state":    func(*rapid.T) { frame++; m.putState([]byte(fmt.Sprintf("state %d", frame)), false) },
			"delta":    func(*rapid.T) { frame++; m.putDelta([]byte(fmt.Sprintf("delta %d", frame))) },
			"timeline": func(*rapid.T) { m.putTimeline([]byte("timeline 0")) },
			"take":     take,
			"": func(t *rapid.T) {
				if m.Overflowed() || len(m.queue) > MessagesWaitingMax+FramesWaitingMax+1 || m.frames < 0 || m.bytes < 0 {
					t.Fatalf("%d messages wait", len(m.queue))
				}
			},
		})
		for len(m.queue) > 0 {
			take(t)
		}
		if taken != kept || has != frame && !m.needsState() {
			t.Fatalf("%d of %d arrived; at frame %d of %d, needs a state: %v", taken, kept, has, frame, m.needsState())
		}
	})
}
