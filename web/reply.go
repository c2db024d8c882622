package web

import (
	"context"
	"sync/atomic"
	"time"
)

// reply answers one command, once: when it is done, or beginWait after it arrived if it has not begun, because
// the session computes something else. Then it is not carried out.
type reply struct {
	k       *socket
	id      int64
	arrived time.Time
	state   atomic.Int32 // a replyState
	late    *time.Timer
}

type replyState = int32

const (
	replyWaiting  replyState = iota // the command has not begun
	replyBegun                      // it is being carried out, in a context that ends with its time
	replyGoesOn                     // a seek: what it goes to is being computed
	replyAnswered                   // nothing is left to do
)

func newReply(k *socket, id int64) *reply {
	r := &reply{k: k, id: id, arrived: time.Now()}
	r.late = time.AfterFunc(beginWait, r.expire)
	return r
}

// begin reports whether the command is to be carried out. It is called on the runner's goroutine, as answer and goesOn are.
func (r *reply) begin() bool { return r.state.CompareAndSwap(replyWaiting, replyBegun) }

// goesOn has the command acknowledged after answerWait if answer has not been called before.
func (r *reply) goesOn() {
	r.state.Store(replyGoesOn)
	r.late.Reset(time.Until(r.arrived.Add(answerWait)))
}

// answer answers the command, unless that was done before.
func (r *reply) answer(err error) {
	r.late.Stop()
	if r.state.Swap(replyAnswered) != replyAnswered {
		s := r.k.session
		r.k.box.keep(s.ack(r.id, err, r.k.lang))
	}
}

// expire answers a command whose time is over. It is not called on the runner's goroutine.
func (r *reply) expire() {
	s := r.k.session
	switch {
	case r.state.CompareAndSwap(replyWaiting, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, context.DeadlineExceeded, r.k.lang))
	case r.state.CompareAndSwap(replyGoesOn, replyAnswered):
		r.k.box.keep(s.lateAck(r.id, nil, r.k.lang))
	}
}
