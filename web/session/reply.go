package session

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// reply is the response to one command. It is sent exactly once. It is sent when the command was executed, or
// BeginWait after the command arrived if its execution has not begun because the session is busy. In the
// latter case the command is not executed.
type reply struct {
	k       *Viewer
	id      int64
	arrived time.Time
	state   atomic.Int32 // state of the reply, a replyState
	late    *time.Timer
}

type replyState = int32

const (
	replyWaiting  replyState = iota // the command has not begun
	replyBegun                      // it is being carried out, in a context that ends with its time
	replyGoesOn                     // a seek: its target is being computed
	replyAnswered                   // the response was sent
)

func newReply(k *Viewer, id int64) *reply {
	r := &reply{k: k, id: id, arrived: time.Now()}
	r.late = time.AfterFunc(BeginWait, r.expire)
	return r
}

// begin reports whether the command may be executed. Like answer and acknowledgeLater, it is called on the runner's
// goroutine.
func (r *reply) begin() bool { return r.state.CompareAndSwap(replyWaiting, replyBegun) }

// acknowledgeLater makes expire acknowledge the command after protocol.AnswerWait unless answer is called first.
func (r *reply) acknowledgeLater() {
	r.state.Store(replyGoesOn)
	r.late.Reset(time.Until(r.arrived.Add(protocol.AnswerWait)))
}

// answer sends the response with err, or success if err is nil, unless it has been sent.
func (r *reply) answer(err error) {
	r.late.Stop()
	if r.state.Swap(replyAnswered) != replyAnswered {
		s := r.k.session
		r.k.box.keep(s.ack(r.id, err, r.k.lang))
	}
}

// expire sends the response when the time of the command is over. It does not run on the runner's goroutine.
func (r *reply) expire() {
	s := r.k.session
	switch {
	case r.state.CompareAndSwap(replyWaiting, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, context.DeadlineExceeded, r.k.lang))
	case r.state.CompareAndSwap(replyGoesOn, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, nil, r.k.lang))
	}
}
