package session

import (
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// didMax returns the maximum number of events to count for the "did" field of a state message, which holds the
// activity of each lane in the last tick or step. During playback it returns 0, and the field is null. The state sent
// when playback stops contains the activity.
func (s *Session) didMax() int64 {
	if s.runner.Playing().On {
		return 0
	}
	return DidEventsMax
}

// didMaxNow is like didMax, but for a delta message. During playback it returns protocol.FrameEventsMax if DidInterval
// has passed since it last did so, and otherwise 0. It must be called exactly once per delta, because it records the
// time at which it returns protocol.FrameEventsMax.
func (s *Session) didMaxNow() int64 {
	now := s.runner.Now()
	switch {
	case !s.runner.Playing().On:
		return DidEventsMax
	case now.Sub(s.didAt) < DidInterval:
		return 0
	}
	s.didAt = now
	return protocol.FrameEventsMax
}

// appendDid appends to b the value of the "did" field: the activity of each lane at the cursor, whose position is at. It appends null if max is 0, or if more than max events would have to be counted.
func (s *Session) appendDid(b []byte, at sim.Position, max int64) []byte {
	s.bare = max < DidEventsMax
	if max == 0 {
		return append(b, "null"...)
	}
	costs := make([]engine.LaneCost, len(s.lanes))
	for i := range s.lanes {
		costs[i] = s.lanes[i].cost
	}
	var lanes []cursor.LaneActivity
	c, err := s.chunkAt(at.Seq)
	if err == nil {
		lanes, err = cursor.Activity(s.runner.Context(), s.run, c, at, costs, max)
	}
	if err != nil {
		s.log.Warn("activity not found", "session", s.id, "run", s.short, "seq", at.Seq, "err", err)
	}
	if lanes == nil {
		return append(b, "null"...)
	}
	s.bare = false
	b = append(b, '[')
	for i := range lanes {
		b = s.appendActivity(protocol.Comma(b), &lanes[i])
	}
	return append(b, ']')
}

// appendActivity appends a to b as a JSON list in the form of protocol.Activity.
func (s *Session) appendActivity(b []byte, a *cursor.LaneActivity) []byte {
	b = protocol.AppendList(append(b, '['), a.Cost, a.Moves, a.Timers)
	b = append(b, ',', '[')
	for kind, n := range a.Kinds {
		if n > 0 {
			b = protocol.AppendList(protocol.Comma(b), int64(kind), n)
		}
	}
	b = append(b, ']', ',')
	b = s.appendRecords(b, a.First, a.Seqs)
	b = append(b, ',', '[')
	for _, f := range a.Flows {
		b = protocol.AppendList(protocol.Comma(b), int64(f.FromLevel), int64(f.FromSlot), int64(f.ToLevel), int64(f.ToSlot), f.Count)
	}
	b = append(b, ']', ',')
	return append(s.appendRecords(b, a.Rows, a.At), ']')
}

// appendRecords appends records to b as a JSON list of rows. seqs contains the event numbers of the records. The last
// element of each row is the cost, which is not known here and therefore 0.
func (s *Session) appendRecords(b []byte, records []engine.Record, seqs []int64) []byte {
	b = append(b, '[')
	start := s.run.Program().Start
	for i := range records {
		r := &records[i]
		s.names.Mention(r.ID, r.Due-start, r.Kind.HasDue())
		b = protocol.AppendRow(protocol.Comma(b), r, seqs[i], start, 0)
	}
	return append(b, ']')
}
