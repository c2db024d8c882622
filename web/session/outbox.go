package session

import (
	"slices"
	"sync"
)

// messageKind is the kind of a queued message. A later state replaces queued states and deltas, a later timeline
// replaces a queued timeline, and all other messages are kept in order.
type messageKind uint8

const (
	outgoingKept     messageKind = iota // hello, player, ack and other messages, which are never dropped
	outgoingFrame                       // a state or delta; a later state replaces it in the outbox
	outgoingTimeline                    // a timeline; a later timeline replaces it in the outbox
	outgoingAnswer                      // an answer of up to protocol.EventsBytesMax; the session queues the next one when it has been taken
)

// outgoing is a queued message.
type outgoing struct {
	kind messageKind
	data []byte // encoded message; it must not be modified, because several outboxes may share it
	own  bool   // whether the message is in no other outbox, in which case its memory can be reused after it has been sent
}

// outbox is the queue of messages from a session to one viewer. It never blocks the session. It has room for a few
// states and deltas, so none are lost if the client is briefly delayed. If there is no room for a delta, the client
// has fallen behind: later deltas are dropped, and a state is sent when the queue is empty.
type outbox struct {
	mu       sync.Mutex
	queue    []outgoing
	kept     int           // number of messages of kind outgoingKept in queue
	frames   int           // number of states and deltas in queue
	bytes    int           // total size of the states and deltas in queue, in bytes
	behind   bool          // whether the client needs a state because a delta was dropped or a state could not be computed in time
	answers  int           // number of messages of kind outgoingAnswer in queue
	taken    bool          // whether a message of kind outgoingAnswer has been taken since wants was called
	overflow bool          // whether the queue had no room for a message that must not be dropped; see MessagesWaitingMax
	spent    []byte        // message returned by the last call to Next, if the next call can reuse its memory; otherwise nil
	ready    chan struct{} // receives a value when the goroutine that sends the messages should continue
}

func newOutbox() *outbox { return &outbox{ready: make(chan struct{}, 1)} }

// keep queues a message that must not be dropped. If MessagesWaitingMax such messages are queued already, the
// outbox overflows instead, and the connection of the viewer is then closed.
func (m *outbox) keep(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept >= MessagesWaitingMax {
		m.overflow = true
	} else {
		m.queue = append(m.queue, outgoing{kind: outgoingKept, data: data})
		m.kept++
	}
	m.wakeWriter()
}

// putAnswer queues data, a large answer to a command. It is not dropped. The caller must not queue many of them.
func (m *outbox) putAnswer(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue = append(m.queue, outgoing{kind: outgoingAnswer, data: data})
	m.answers++
	m.wakeWriter()
}

// answersWaiting reports whether a message queued by putAnswer has not been taken.
func (m *outbox) answersWaiting() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answers > 0
}

// putTimeline queues data, a timeline message. It removes an earlier timeline message from the queue.
func (m *outbox) putTimeline(data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(outgoingTimeline)
	m.queue = append(m.queue, outgoing{kind: outgoingTimeline, data: data})
	m.wakeWriter()
}

// putState queues a state message, which replaces all queued states and deltas. own is true if data is in no other
// outbox, in which case its memory can be reused after it has been sent.
func (m *outbox) putState(data []byte, own bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(outgoingFrame)
	m.frames, m.bytes = 0, 0
	m.putFrame(data, own)
	m.behind = false
}

// putDelta queues a delta message, or marks the client as behind if there is no room. It returns true if the client
// is late, that is, if earlier states or deltas are still queued or have been dropped.
func (m *outbox) putDelta(data []byte) (late bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	late = m.frames > 0
	if m.behind || late && (m.frames >= FramesWaitingMax || m.bytes+len(data) > FrameBytesWaitingMax) {
		m.behind = true
		return true
	}
	m.putFrame(data, false)
	return late
}

// markBehind marks the client as behind, and wakes the goroutine that sends the queued messages, so that it
// requests a state.
func (m *outbox) markBehind() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.behind = true
	m.wakeWriter()
}

func (m *outbox) putFrame(data []byte, own bool) {
	m.queue = append(m.queue, outgoing{outgoingFrame, data, own})
	m.frames++
	m.bytes += len(data)
	m.wakeWriter()
}

// Ready returns a channel that receives a value when Next, Overflowed or CatchUp should be called again.
func (m *outbox) Ready() <-chan struct{} { return m.ready }

// Next removes and returns the oldest queued message, and reports whether there was one. The message must not be
// used after the next call to Next.
func (m *outbox) Next() (data []byte, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.spent != nil {
		stateBuffers.Put(new(m.spent))
		m.spent = nil
	}
	if len(m.queue) == 0 {
		return nil, false
	}
	first := m.queue[0]
	m.queue = slices.Delete(m.queue, 0, 1) // a message that was sent is not held on to
	switch first.kind {
	case outgoingKept:
		m.kept--
	case outgoingAnswer:
		m.answers--
		m.taken = true
	case outgoingFrame:
		m.frames--
		m.bytes -= len(first.data)
	}
	if first.own {
		m.spent = first.data
	}
	return first.data, true
}

// needsState reports whether a state should be sent to the client now: the client has missed a delta or a state, and
// the queue is empty.
func (m *outbox) needsState() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.behind && len(m.queue) == 0
}

// wants reports what should be queued now: answer is whether a message queued by putAnswer has been taken since the last
// call, and state is the result of needsState.
func (m *outbox) wants() (answer, state bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, m.taken = m.taken, false
	return answer, m.behind && len(m.queue) == 0
}

// Overflowed reports whether there was no room for a message that must not be dropped. If so, the connection should be
// closed.
func (m *outbox) Overflowed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.overflow
}

// drop removes the queued messages of the given kind. It does not update the fields that count them.
func (m *outbox) drop(kind messageKind) {
	m.queue = slices.DeleteFunc(m.queue, func(w outgoing) bool { return w.kind == kind })
}

// wakeWriter wakes the goroutine that sends the queued messages. It does not block: m.ready has a buffer of one value
// and, if that is full, the goroutine will continue anyway.
func (m *outbox) wakeWriter() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}
