package session

import (
	"slices"
	"sync"
)

// messageKind is the kind of a queued message. A later state replaces queued frames, a later timeline replaces a
// queued timeline, and all other messages are kept in order.
type messageKind uint8

const (
	outgoingKept     messageKind = iota // hello, player, ack and others: never dropped
	outgoingFrame                       // state, delta: replaced by a later state
	outgoingTimeline                    // timeline: replaced by a later one
)

type outgoing struct {
	kind messageKind
	data []byte // read-only, since several outboxes share it
}

// outbox is the queue of messages from a session to one viewer. It never blocks the session. It has room for a few
// frames, so that none is lost in a short delay. When it is full, the client has fallen behind; it is sent a state
// when all queued messages have been written.
type outbox struct {
	mu     sync.Mutex
	queue  []outgoing
	kept   int  // number of messages in queue that must not be dropped
	frames int  // number of states and deltas in queue
	bytes  int  // number of bytes of the queued frames
	behind bool // whether a delta was dropped, so that the viewer needs a state
	over   bool // whether a message that must not be dropped found MessagesWaitingMax others in the queue
	ready  chan struct{}
}

func newOutbox() *outbox { return &outbox{ready: make(chan struct{}, 1)} }

// keep queues a message that must not be dropped. If MessagesWaitingMax such messages are already queued, it queues
// nothing: the outbox has overflowed, and the connection of the viewer is closed.
func (m *outbox) keep(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept >= MessagesWaitingMax {
		m.over = true
	} else {
		m.queue = append(m.queue, outgoing{outgoingKept, data})
		m.kept++
	}
	m.wakeWriter()
}

// putTimeline queues a timeline message. It replaces a queued timeline.
func (m *outbox) putTimeline(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(outgoingTimeline)
	m.queue = append(m.queue, outgoing{outgoingTimeline, data})
	m.wakeWriter()
}

// putState queues a state message. It replaces all queued frames.
func (m *outbox) putState(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(outgoingFrame)
	m.frames, m.bytes = 0, 0
	m.putFrame(data)
	m.behind = false
}

// putDelta queues a delta message if there is room, and otherwise marks the client as behind. It returns true
// if the client has not received all earlier frames.
func (m *outbox) putDelta(data []byte) (late bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	late = m.frames > 0
	if m.behind || late && (m.frames >= FramesWaitingMax || m.bytes+len(data) > FrameBytesWaitingMax) {
		m.behind = true
		return true
	}
	m.putFrame(data)
	return late
}

// markBehind marks the client as behind, and wakes the goroutine that sends the queued messages, which then requests
// a state.
func (m *outbox) markBehind() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.behind = true
	m.wakeWriter()
}

func (m *outbox) putFrame(data []byte) {
	m.queue = append(m.queue, outgoing{outgoingFrame, data})
	m.frames++
	m.bytes += len(data)
	m.wakeWriter()
}

// take removes and returns the oldest queued message.
func (m *outbox) take() (data []byte, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return nil, false
	}
	first := m.queue[0]
	m.queue = slices.Delete(m.queue, 0, 1) // a message that was sent is not held on to
	switch first.kind {
	case outgoingKept:
		m.kept--
	case outgoingFrame:
		m.frames--
		m.bytes -= len(first.data)
	}
	return first.data, true
}

// needsState reports whether the client needs a state and the queue is empty.
func (m *outbox) needsState() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.behind && len(m.queue) == 0
}

// overflowed reports whether there was no room for a message that must not be dropped.
func (m *outbox) overflowed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.over
}

func (m *outbox) drop(kind messageKind) {
	m.queue = slices.DeleteFunc(m.queue, func(w outgoing) bool { return w.kind == kind })
}

// wakeWriter wakes the goroutine that sends the queued messages. It does not block, since the channel has a buffer of
// one.
func (m *outbox) wakeWriter() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}
