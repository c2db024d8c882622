package web

import (
	"slices"
	"sync"
)

// What kind of message waits in a mailbox: frames are replaced by a later state, a
// timeline by a later one, everything else is kept in order.
type mailKind uint8

const (
	mailKept     mailKind = iota // hello, player, ack: never dropped
	mailFrame                    // state or delta
	mailTimeline                 // the latest tells all
)

type mail struct {
	kind mailKind
	data []byte // shared by every mailbox it is put in: read only
}

// mailbox is where a session leaves messages for one socket's writer. It never
// blocks the session: it has room for a few frames, so that a short delay costs
// nothing, and when that is full the client is behind, and gets a state when its
// writer is free again.
type mailbox struct {
	mu     sync.Mutex
	queue  []mail
	kept   int  // of mailKept in queue
	frames int  // of mailFrame in queue
	bytes  int  // of those
	behind bool // a delta was dropped; only a state helps
	over   bool // more kept messages waited than MessagesWaitingMax
	ready  chan struct{}
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// keep puts a message that must arrive. A client that lets too many of them
// wait is beyond help: over tells the writer to close.
func (m *mailbox) keep(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept >= MessagesWaitingMax {
		m.over = true
	} else {
		m.queue = append(m.queue, mail{mailKept, data})
		m.kept++
	}
	m.ring()
}

// putTimeline puts the latest timeline in the place of one that waits.
func (m *mailbox) putTimeline(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(mailTimeline)
	m.queue = append(m.queue, mail{mailTimeline, data})
	m.ring()
}

// putState puts a state: it stands for every frame before it.
func (m *mailbox) putState(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(mailFrame)
	m.frames, m.bytes = 0, 0
	m.putFrame(data)
	m.behind = false
}

// putDelta puts a delta if there is room. Otherwise the client is behind from now
// on. The result says whether the client is late: it has not taken all frames
// before this one.
func (m *mailbox) putDelta(data []byte) (late bool) {
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

// fallBehind notes that the client needs a state, and wakes the writer to ask for one.
func (m *mailbox) fallBehind() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.behind = true
	m.ring()
}

func (m *mailbox) putFrame(data []byte) {
	m.queue = append(m.queue, mail{mailFrame, data})
	m.frames++
	m.bytes += len(data)
	m.ring()
}

// take removes the first message that waits.
func (m *mailbox) take() (data []byte, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return nil, false
	}
	first := m.queue[0]
	m.queue = slices.Delete(m.queue, 0, 1) // a message that was sent is not held on to
	switch first.kind {
	case mailKept:
		m.kept--
	case mailFrame:
		m.frames--
		m.bytes -= len(first.data)
	}
	return first.data, true
}

// starved says whether the writer has nothing left to send and the client needs
// a state.
func (m *mailbox) starved() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.behind && len(m.queue) == 0
}

// overflowed says whether messages that must arrive had to be refused.
func (m *mailbox) overflowed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.over
}

func (m *mailbox) drop(kind mailKind) {
	m.queue = slices.DeleteFunc(m.queue, func(w mail) bool { return w.kind == kind })
}

// ring wakes the writer; it holds one call only, so it never blocks.
func (m *mailbox) ring() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}
