package session

import (
	"bytes"
	"cmp"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// The messages of a session are written on the runner's goroutine.

// header returns the header of a message of the given kind, such as "hello", for the current run and the current
// position of the cursor.
func (s *Session) header(kind string) protocol.Header {
	return protocol.Header{V: protocol.Version, Kind: kind, Run: s.short, Seq: s.runner.Position().Seq}
}

// encode returns message as JSON. It is not used for states and deltas, which are sent many times a second and
// have their own encoders.
func (s *Session) encode(message any) []byte {
	data, err := json.Marshal(message, json.Deterministic(true))
	if err != nil { // a bug in this package: every message can be encoded
		s.log.Error("message not written", "session", s.id, "err", err)
	}
	return data
}

// hello returns the "hello" message for viewer k. It contains the secret of the session only if k drives the session.
func (s *Session) hello(k *Viewer) []byte {
	p := s.run.Program()
	sc := p.Scenario
	m := protocol.Hello{
		Header: s.header("hello"), Session: s.id, Driver: k.driver, Limits: protocol.Limits(),
		Scenario: protocol.HelloScenario{Name: cmp.Or(sc.Name, sc.File), Title: sc.Title.In(k.lang), Summary: sc.Summary.In(k.lang), Question: sc.Question.In(k.lang),
			Tick: sc.Tick, Start: p.Start, Until: p.Until, Custom: s.custom},
		Lanes: make([]protocol.HelloLane, len(sc.Lanes)),
	}
	if s.doing != nil && s.doing.k == k {
		m.Ack = s.doing.id
	}
	if k.driver {
		m.Secret = s.secret.String()
	}
	for i := range sc.Lanes {
		m.Lanes[i] = protocol.HelloLane{ID: sc.Lanes[i].ID, Facts: knowledge.Titled(s.info[i]), Params: sc.Lanes[i].Params}
	}
	return s.encode(m)
}

// totalSteps returns the total number of steps of the run, or -1 if it is unknown.
func (s *Session) totalSteps() int64 {
	_, steps := s.run.StepNumber(s.runner.Context(), nil, 0)
	return steps
}

// player returns the "player" message, which contains the playback state.
func (s *Session) player() []byte {
	p := s.runner.Playing()
	return s.encode(protocol.Player{Header: s.header("player"), Playing: p.On, Rate: p.Rate, End: p.End})
}

// timelineSent identifies the content of the timeline message last queued for a viewer, so that the same
// content is not sent again.
type timelineSent struct {
	run      string
	computed int64
	done     bool
	steps    int64
}

// sendTimeline sends the timeline to those of the given viewers that have not been sent its current content.
func (s *Session) sendTimeline(viewers ...*Viewer) {
	t := s.run.Timeline()
	sent := timelineSent{s.short, t.Computed, t.Done, s.totalSteps()}
	var data []byte
	for _, k := range viewers {
		if k.timeline == sent {
			continue
		}
		if data == nil {
			data = s.timeline(t)
		}
		k.timeline = sent
		k.putTimeline(data)
	}
}

// timeline returns the "timeline" message for t.
func (s *Session) timeline(t *sim.Timeline) []byte {
	m := protocol.Timeline{Header: s.header("timeline"), Computed: max(t.Computed, 0), Done: t.Done, Events: t.Events, Steps: s.totalSteps(), Bucket: t.Bucket,
		Lanes: make([]protocol.TimelineLane, len(t.Lanes))}
	for i, l := range t.Lanes {
		m.Lanes[i] = protocol.TimelineLane{Live: l.Live, Expire: l.Expire, Cascade: l.Cascade, Reject: l.Reject, Cost: l.Cost, Finding: l.Finding}
	}
	return s.encode(m)
}

// ack returns the "ack" message, the response to the command with the given ID. err is the error of the command, or
// nil if it succeeded, and is described in the language lang. id is 0 if the ID of the command is unknown, or if no
// command caused the error.
func (s *Session) ack(id int64, err error, lang string) []byte {
	return s.encode(protocol.Ack{Header: s.header("ack"), Ack: id, Error: protocol.Describe(err, lang)})
}

// lateAck is like ack but may be called on any goroutine: it takes the run's digest and the event number from the
// atomic fields seenRun and seenSeq.
func (s *Session) lateAck(id int64, err error, lang string) []byte {
	run := ""
	if short := s.seenRun.Load(); short != nil {
		run = *short
	}
	header := protocol.Header{V: protocol.Version, Kind: "ack", Run: run, Seq: s.seenSeq.Load()}
	return s.encode(protocol.Ack{Header: header, Ack: id, Error: protocol.Describe(err, lang)})
}

// state returns data, the "state" message, which contains the state at the cursor. If rest is true, the message
// includes at most the first protocol.PlaceTimersMax timers of each place of the lanes in ModeCounts. shared must be
// true if the message is for several viewers. If own is true, data is a buffer from stateBuffers, to be returned there
// when the message has been sent; own is never true if shared is. If state uses s.frame.snap, it recycles that snapshot
// and sets s.frame.snap to nil.
func (s *Session) state(rest, shared bool) (data []byte, own bool, err error) {
	snap, err := s.snapshot(rest)
	if err != nil {
		return nil, false, err
	}
	most := 0
	if rest {
		most = protocol.PlaceTimersMax
	}
	s.names.Open()
	s.names.Forget()
	start := s.run.Program().Start
	buffer, _ := stateBuffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	b := protocol.AppendHeader((*buffer)[:0], "state", s.short, snap.Seq)
	b = protocol.AppendField(b, "tick", snap.Tick)
	step, _ := s.run.StepNumber(s.runner.Context(), s.frame.chunk, snap.Seq)
	b = protocol.AppendField(b, "step", step)
	b = append(b, `,"lanes":[`...)
	for i := range snap.Lanes {
		b = protocol.AppendLane(protocol.Comma(b), &snap.Lanes[i], s.lanes[i].mode, most, start, &s.names)
	}
	b = append(b, `],"last":[`...)
	b = s.appendLast(b, snap.Seq)
	b = append(b, `],"did":`...)
	b = s.appendDid(b, s.runner.Position(), s.didMax())
	b = append(b, `,"names":[`...)
	b = append(b, s.names.List...)
	b = append(b, `],"rest":`...)
	s.midSeek = s.runner.Seeking()
	b = strconv.AppendBool(b, (rest || s.allFull()) && !s.midSeek)
	if s.frame.snap == snap {
		s.frame.snap = nil
	}
	snap.Recycle()
	b = append(b, '}')
	if !shared && 2*len(b) >= cap(b) {
		return b, true, nil
	}
	*buffer = b
	defer stateBuffers.Put(buffer)
	return bytes.Clone(b), false, nil
}

// stateBuffers holds buffers, of type *[]byte, in which all sessions write state messages. A message that is for
// several viewers, or that fills less than half of its buffer, is copied out of the buffer, because it may stay in
// outboxes for a long time.
var stateBuffers sync.Pool

// appendLast appends to b, as rows, the events up to event seq of the step that contains it. It appends at most the
// last LastEventsMax of these events and, during playback, none, because pages then do not show them.
func (s *Session) appendLast(b []byte, seq int64) []byte {
	if s.runner.Playing().On {
		return b
	}
	var last *sim.EventRange
	c, err := s.chunkAt(seq)
	if err == nil {
		last, err = s.run.LastStep(s.runner.Context(), c, seq, LastEventsMax)
	}
	if err != nil {
		s.log.Warn("last step not found", "session", s.id, "run", s.short, "seq", seq, "err", err)
		return b
	}
	start := s.run.Program().Start
	spent := make([]int64, len(last.Lanes))
	for i := range spent {
		spent[i] = last.Lanes[i].Total
	}
	for i := range last.Records {
		r := &last.Records[i]
		s.names.MentionRecord(r, start)
		b = protocol.AppendRow(protocol.Comma(b), r, last.From+1+int64(i), start, r.Cost-spent[r.Lane])
		spent[r.Lane] = r.Cost
	}
	return b
}

// snapshot returns the state at the cursor with at least the timers that a state message must include: all timers of
// lanes in ModeFull and, if rest is true, the first protocol.PlaceTimersMax timers of each place of lanes in
// ModeCounts. If s.frame.snap includes these timers, snapshot returns it.
func (s *Session) snapshot(rest bool) (*engine.Snapshot, error) {
	most := 0
	if rest {
		most = protocol.PlaceTimersMax
	}
	snap := s.frame.snap
	if snap != nil && s.enough(snap, most) {
		return snap, nil
	}
	for i := range s.lanes {
		if s.lanes[i].mode == protocol.ModeFull {
			most = wheel.AllEntries
		}
	}
	return s.runner.Snapshot(most)
}

// enough reports whether snap includes the timers that a state message must include: all timers of lanes in
// ModeFull, and the first n timers of each place of lanes in ModeCounts.
func (s *Session) enough(snap *engine.Snapshot, n int) bool {
	for i := range snap.Lanes {
		full := s.lanes[i].mode == protocol.ModeFull
		if !full && n == 0 {
			continue
		}
		for k := range snap.Lanes[i].Places {
			p := &snap.Lanes[i].Places[k]
			if len(p.Entries) < p.Count && (full || len(p.Entries) < n) {
				return false
			}
		}
	}
	return true
}

// delta returns the "delta" message, which contains the changes since the last state or delta.
func (s *Session) delta() []byte {
	at := s.runner.Position()
	from := at.Seq
	if len(s.frame.parts) > 0 {
		from = s.frame.parts[0].From
	}
	s.names.Open()
	b := protocol.AppendHeader(make([]byte, 0, s.deltaHint), "delta", s.short, at.Seq)
	b = protocol.AppendField(b, "from", from)
	b = protocol.AppendField(b, "tick", at.Tick)
	step, _ := s.run.StepNumber(s.runner.Context(), s.frame.chunk, at.Seq)
	b = protocol.AppendField(b, "step", step)
	b = append(b, `,"events":[`...)
	for _, part := range s.frame.parts {
		b = s.appendRows(b, part)
	}
	b = append(b, `],"did":`...)
	b = s.appendDid(b, at, s.didMaxNow())
	b = append(b, `,"names":[`...)
	b = append(b, s.names.List...)
	b = append(b, `],"steps":[`...)
	if at.Seq-from <= protocol.FrameEventsMax {
		for _, part := range s.frame.parts {
			for _, end := range part.Ends {
				b = protocol.AppendList(protocol.Comma(b), end)
			}
		}
	}
	b = append(b, `],"lanes":[`...)
	for i := range s.lanes {
		v := &s.lanes[i]
		b = protocol.AppendChange(protocol.Comma(b), i, v.cost.Clock, &v.counts, v.cost, v.mode)
	}
	s.deltaHint = len(b) + len(b)/4
	return append(b, ']', '}')
}

// appendRows appends the rows of the records in part that belong to lanes in ModeFull. Events of other lanes are not
// sent individually. For each lane that has records in part, appendRows also sets laneView.spent to the total cost of
// the lane up to the last of them.
func (s *Session) appendRows(b []byte, part *sim.EventRange) []byte {
	start := s.run.Program().Start
	for i := range part.Records {
		r := &part.Records[i]
		v := &s.lanes[r.Lane]
		spent := r.Cost - v.spent
		v.spent = r.Cost
		if v.mode != protocol.ModeFull {
			continue
		}
		s.names.MentionRecord(r, start)
		b = protocol.AppendRow(protocol.Comma(b), r, part.From+1+int64(i), start, spent)
	}
	return b
}

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
