package session

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// reply is the response to one command. It is sent exactly once, normally when the command has been executed. If the
// session is so busy that the execution has not begun within BeginWait of the command's arrival, the reply is an
// error, and the command is not executed.
type reply struct {
	k       *Viewer // viewer that sent the command
	id      int64   // ID of the command
	arrived time.Time
	state   atomic.Int32 // state of the reply, a replyState
	late    *time.Timer  // timer that calls expire
}

// replyState is the state of a reply.
type replyState = int32

const (
	replyWaiting  replyState = iota // the command has not begun
	replyBegun                      // the command is being executed
	replyGoesOn                     // the command is a seek whose target is being computed
	replyAnswered                   // the response was sent
)

func newReply(k *Viewer, id int64) *reply {
	r := &reply{k: k, id: id, arrived: time.Now()}
	r.late = time.AfterFunc(BeginWait, r.expire)
	return r
}

// begin marks the command as begun. It returns false if the command has timed out and must not be executed. It is
// called on the runner's goroutine, as are answer and acknowledgeLater.
func (r *reply) begin() bool { return r.state.CompareAndSwap(replyWaiting, replyBegun) }

// acknowledgeLater postpones the reply to a seek whose target has not been computed yet. Unless answer is called first,
// the timer r.late acknowledges the seek when protocol.AnswerWait has passed since the seek arrived.
func (r *reply) acknowledgeLater() {
	r.state.Store(replyGoesOn)
	r.late.Reset(time.Until(r.arrived.Add(protocol.AnswerWait)))
}

// answer sends the response unless one has been sent. The response reports err or, if err is nil, success.
func (r *reply) answer(err error) {
	r.late.Stop()
	if r.state.Swap(replyAnswered) != replyAnswered {
		s := r.k.session
		r.k.box.keep(s.ack(r.id, err, r.k.lang))
	}
}

// expire is called by the timer r.late, on a goroutine of its own, when the reply is overdue. If the command has not
// begun, expire sends an error. If the command is a seek whose target is still being computed, expire acknowledges it.
func (r *reply) expire() {
	s := r.k.session
	switch {
	case r.state.CompareAndSwap(replyWaiting, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, context.DeadlineExceeded, r.k.lang))
	case r.state.CompareAndSwap(replyGoesOn, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, nil, r.k.lang))
	}
}
