package web

import (
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel"
)

// The messages of a session are written on the runner's goroutine.

func (s *session) header(kind string) header {
	return header{Version, kind, s.short, s.runner.Cursor().Seq}
}

// encode returns a message that is not sent often as JSON.
func (s *session) encode(message any) []byte {
	data, err := json.Marshal(message, json.Deterministic(true))
	if err != nil { // a bug in this package: every message can be encoded
		s.log.Error("message not written", "session", s.id, "err", err)
	}
	return data
}

func (s *session) hello(k *socket) []byte {
	p := s.run.Program()
	sc := p.Scenario
	m := helloMessage{
		header: s.header("hello"), Session: s.id, Driver: k.driver, Limits: Limits(),
		Scenario: helloScenario{Name: sc.Name, Title: sc.Title.In(k.lang), Summary: sc.Summary.In(k.lang), Question: sc.Question.In(k.lang),
			Tick: sc.Tick, Start: p.Start, Until: p.Until, Custom: s.custom},
		Lanes: make([]helloLane, len(sc.Lanes)),
	}
	if k.driver {
		m.Secret = s.secret.String()
	}
	for i := range sc.Lanes {
		m.Lanes[i] = helloLane{ID: sc.Lanes[i].ID, Facts: s.info[i], Params: sc.Lanes[i].Params}
	}
	return s.encode(m)
}

func (s *session) player() []byte {
	p := s.runner.Playing()
	return s.encode(playerMessage{s.header("player"), p.On, p.Rate, p.End})
}

// timelineTold identifies the content of the timeline last sent to a socket. An equal one need not
// be sent again.
type timelineTold struct {
	run      string
	computed int64
	done     bool
	steps    int64
}

// tellTimeline sends the timeline to those of the sockets that do not have it yet.
func (s *session) tellTimeline(sockets ...*socket) {
	t := s.run.Timeline()
	told := timelineTold{s.short, t.Computed, t.Done, s.stepsInAll()}
	var data []byte
	for _, k := range sockets {
		if k.timeline == told {
			continue
		}
		if data == nil {
			data = s.timeline(t)
		}
		k.timeline = told
		k.box.putTimeline(data)
	}
}

func (s *session) timeline(t *sim.Timeline) []byte {
	m := timelineMessage{header: s.header("timeline"), Computed: max(t.Computed, 0), Done: t.Done, Events: t.Events, Steps: s.stepsInAll(), Bucket: t.Bucket,
		Lanes: make([]timelineLane, len(t.Lanes))}
	for i, l := range t.Lanes {
		m.Lanes[i] = timelineLane{l.Live, l.Expire, l.Cascade, l.Reject, l.Cost, l.Finding}
	}
	return s.encode(m)
}

// ack returns the acknowledgement of a command, in a language. id is 0 if it answers no command.
func (s *session) ack(id int64, err error, lang string) []byte {
	return s.encode(ackMessage{s.header("ack"), id, usererr.Describe(err, lang)})
}

// lateAck is ack for goroutines other than the runner's.
func (s *session) lateAck(id int64, err error, lang string) []byte {
	run := ""
	if short := s.seenRun.Load(); short != nil {
		run = *short
	}
	return s.encode(ackMessage{header{Version, "ack", run, s.seenSeq.Load()}, id, usererr.Describe(err, lang)})
}

// state returns the message with the whole state at the cursor.
func (s *session) state(rest bool) ([]byte, error) {
	snap, err := s.snapshot(rest)
	if err != nil {
		return nil, err
	}
	most := 0
	if rest {
		most = PlaceTimersMax
	}
	s.names.open()
	s.names.forget()
	start := s.run.Program().Start
	b := appendHeader(make([]byte, 0, s.sizeHint), "state", s.short, snap.Seq)
	b = appendField(b, "tick", snap.Tick)
	b = appendField(b, "step", s.stepAt(snap.Seq))
	b = append(b, `,"lanes":[`...)
	for i := range snap.Lanes {
		b = appendLane(comma(b), &snap.Lanes[i], s.lanes[i].mode, most, start, &s.names)
	}
	b = append(b, `],"last":[`...)
	b = s.appendLast(b, snap.Seq)
	b = append(b, `],"did":`...)
	b = s.appendDid(b, snap.Tick, snap.Seq, s.didMax())
	b = append(b, `,"names":[`...)
	b = append(b, s.names.list...)
	b = append(b, `],"rest":`...)
	s.leaving = s.runner.Seeking()
	b = strconv.AppendBool(b, (rest || s.allFull()) && !s.leaving)
	s.sizeHint = len(b) + len(b)/4
	return append(b, '}'), nil
}

// appendLast appends the rows of the step that led to event seq, at most the last LastEventsMax, so
// that a viewer sees what happened. While the clock runs they are not shown and left out.
func (s *session) appendLast(b []byte, seq int64) []byte {
	if s.runner.Playing().On {
		return b
	}
	last, err := s.run.LastStep(s.runner.Context(), seq, LastEventsMax)
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
		s.names.mention(r.ID, r.Due-start, tellsDue(r.Kind))
		b = appendRow(comma(b), r, last.From+1+int64(i), start, r.Cost-spent[r.Lane])
		spent[r.Lane] = r.Cost
	}
	return b
}

// snapshot returns the state at the cursor with the timers to be sent. It uses the runner's last
// snapshot if that has them.
func (s *session) snapshot(rest bool) (*engine.Snapshot, error) {
	most := 0
	if rest {
		most = PlaceTimersMax
	}
	snap := s.frame.snap
	if snap != nil && s.enough(snap, most) {
		return snap, nil
	}
	for i := range s.lanes {
		if s.lanes[i].mode == modeFull {
			most = wheel.AllEntries
		}
	}
	return s.runner.Snapshot(most)
}

// enough reports whether a snapshot has the timers that the lanes' modes require.
func (s *session) enough(snap *engine.Snapshot, most int) bool {
	for i := range snap.Lanes {
		full := s.lanes[i].mode == modeFull
		for _, p := range snap.Lanes[i].Places {
			if len(p.Entries) < p.Count && (full || len(p.Entries) < most) {
				return false
			}
		}
	}
	return true
}

// delta returns the message with what happened in the frame.
func (s *session) delta() []byte {
	at := s.runner.Cursor()
	from := at.Seq
	if len(s.frame.parts) > 0 {
		from = s.frame.parts[0].From
	}
	s.names.open()
	b := appendHeader(make([]byte, 0, s.deltaHint), "delta", s.short, at.Seq)
	b = appendField(b, "from", from)
	b = appendField(b, "tick", at.Tick)
	b = appendField(b, "step", s.stepAt(at.Seq))
	b = append(b, `,"events":[`...)
	for _, part := range s.frame.parts {
		b = s.appendRows(b, part)
	}
	b = append(b, `],"did":`...)
	b = s.appendDid(b, at.Tick, at.Seq, s.didMaxNow())
	b = append(b, `,"names":[`...)
	b = append(b, s.names.list...)
	b = append(b, `],"steps":[`...)
	b = appendList(b, s.steps(from, at.Seq)...)
	b = append(b, `],"lanes":[`...)
	for i := range s.lanes {
		v := &s.lanes[i]
		b = appendChange(comma(b), i, v.cost.Clock, &v.tally, v.cost, v.mode)
	}
	s.deltaHint = len(b) + len(b)/4
	return append(b, ']', '}')
}

// appendRows appends the records of lanes in modeFull.
func (s *session) appendRows(b []byte, part *sim.Stretch) []byte {
	start := s.run.Program().Start
	for i := range part.Records {
		r := &part.Records[i]
		v := &s.lanes[r.Lane]
		spent := r.Cost - v.spent
		v.spent = r.Cost
		if v.mode != modeFull {
			continue
		}
		s.names.mention(r.ID, r.Due-start, tellsDue(r.Kind))
		b = appendRow(comma(b), r, part.From+1+int64(i), start, spent)
	}
	return b
}

// steps returns the events after `from` up to `to` with which a step ends, or nil if there are more
// than FrameEventsMax events.
func (s *session) steps(from, to int64) []int64 {
	if to-from > FrameEventsMax {
		return nil
	}
	ends, err := s.run.StepEnds(s.runner.Context(), from, to)
	if err != nil {
		s.log.Warn("steps not found", "session", s.id, "run", s.short, "from", from, "to", to, "err", err)
	}
	return ends
}
