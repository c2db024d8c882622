package session

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// transfer is the answer to an "events" command in progress. A part of it is sent when the client's connection has
// taken the one before, so a slow client never has more than one part in its outbox.
type transfer struct {
	*reply
	run      *sim.Run
	from, to int64 // numbers of the last event sent and of the last one requested
}

// eventsRequest is an "events" command. It implements cursor.Request.
type eventsRequest struct {
	*reply
	from, n int64
}

// events decodes an "events" command from viewer k.
func (s *Session) events(c *protocol.Command, k *Viewer) (cursor.Request, error) {
	from, err := c.Integer("from", 0, eventMax)
	if err != nil {
		return nil, err
	}
	n, err := c.Integer("n", 1, protocol.EventsMax)
	if err != nil {
		return nil, err
	}
	return eventsRequest{newReply(k, c.ID), from, n}, nil
}

// eventMax is the maximum number of an event in a command.
const eventMax = 1 << 52

// Do begins the answer. It implements cursor.Request.
func (q eventsRequest) Do() {
	switch s := q.k.session; {
	case !q.begin():
	case q.k.transfer != nil:
		q.answer(texts.Errorf(texts.Invalid, "", "the answer to an earlier %s command is not complete", "events"))
	default:
		q.k.transfer = &transfer{q.reply, s.run, q.from, q.from + q.n}
		if _, done := s.run.Computed(); !done && s.run.EventsComputed() <= q.from {
			wait, stop := context.WithTimeout(s.runner.Context(), cursor.StepWaitMax)
			s.run.ChunkOf(wait, sim.After(q.from+1)) // an error of the run is returned by ReadEvents, too
			stop()
		}
		q.k.sendEvents()
	}
}

// Merge returns false because the request is not merged with others. It implements cursor.Request.
func (eventsRequest) Merge(cursor.Request) bool { return false }

// sendEvents queues the next part of the answer to an "events" command, if one is in progress. It is called on the
// session's goroutine.
func (v *Viewer) sendEvents() {
	t, s := v.transfer, v.session
	if t == nil {
		return
	}
	if t.run != s.run {
		v.endEvents(texts.Errorf(texts.Invalid, "run", "another run was opened before all events were sent"))
		return
	}
	part, err := protocol.ReadEvents(s.runner.Context(), t.run, s.runner.Position().Seq, t.from, int(min(t.to-t.from, protocol.EventsRowsMax)))
	if err != nil {
		v.endEvents(err)
		return
	}
	v.putAnswer(part.Data)
	if part.End || part.To <= t.from || part.To >= t.to {
		v.endEvents(nil)
		return
	}
	t.from = part.To
}

// endEvents ends the answer to an "events" command.
func (v *Viewer) endEvents(err error) {
	v.transfer.answer(err)
	v.transfer = nil
}
