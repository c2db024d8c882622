package player

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// recording is a run in the form of the messages of a session: "hello", "events" and "timeline" (docs/MESSAGES.md). Its
// texts are in every language. static/js/recorded/recording.js reads it, and computes the states from the events.
// Ticks are relative to the start of the scenario.
type recording struct {
	Run      string          `json:"run"`
	Name     string          `json:"name"`
	Open     int64           `json:"open"`
	Note     *Note           `json:"note"`
	Scenario scenarioHead    `json:"scenario"`
	Lanes    []lane          `json:"lanes"`
	Rows     json.RawMessage `json:"rows"`
	Costs    json.RawMessage `json:"costs"`
	Costed   bool            `json:"costed"` // whether the costs are known; see costsMax
	Names    []string        `json:"names"`  // names of the timers in the order of their IDs, which begin at 1
	Steps    []int64         `json:"steps"`  // number of events in each step
	// Clocks holds three numbers for each change in how a lane's clock moves: the tick, which is -1 before the first
	// event, the clock there, and 1 if the clock moves with the ticks from there on, or 0 if it rests.
	Clocks   [][]int64      `json:"clocks"`
	Timeline map[string]any `json:"timeline"`
}

// scenarioHead describes the scenario with the fields of a "hello" message.
type scenarioHead struct {
	Name     string            `json:"name"`
	Title    map[string]string `json:"title"`
	Summary  map[string]string `json:"summary"`
	Question map[string]string `json:"question"`
	Tick     string            `json:"tick"`
	Start    int64             `json:"start"`
	Until    int64             `json:"until"`
}

// lane describes a lane with the fields of a "hello" message, and its levels before the first event: level, number of
// slots, and width of a slot in base ticks.
type lane struct {
	ID string `json:"id"`
	knowledge.Facts
	Params catalog.Params `json:"params"`
	Levels [][]int64      `json:"levels"`
}

// source provides the events and costs of a recording, from an engine that computes the run or from a recorded trace.
type source interface {
	Next() (tick int64, ok bool)                        // next tick that may have events
	Tick(t int64, recs []engine.Record) []engine.Record // advances to the end of tick t and appends its events to recs
	StepEnds() []int                                    // for each step of the last tick, the number of events up to its end
	Cost(lane int) engine.LaneCost                      // cost of a lane up to the end of the last tick
	Snapshot(most int) *engine.Snapshot                 // state of all lanes, with up to most timers per place
	Err() error                                         // error that ended the source, or nil
}

var (
	_ source = computed{}
	_ source = (*compare.Recorded)(nil)
)

// computed is the source whose events come from an engine.
type computed struct{ *engine.Engine }

func (c computed) StepEnds() []int               { return c.Marks }
func (c computed) Cost(lane int) engine.LaneCost { return c.Lane(lane).Cost() }

// newRecording runs the program of run once and returns its recording.
func newRecording(ctx context.Context, run *sim.Run, o Options) (*recording, error) {
	p := run.Program()
	e, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	e.Bind(ctx)
	r, err := record(ctx, p, computed{e}, o, (p.Until+1)*int64(len(p.Scenario.Lanes)) <= costsMax)
	if err != nil {
		return nil, err
	}
	r.name(p, p.Name, run.Timeline())
	return r, nil
}

// name sets the names of the timers, which name returns by ID, and the timeline.
func (r *recording) name(p *program.Program, name func(id uint32) string, t *sim.Timeline) {
	r.Names = make([]string, p.Timers())
	for i := range r.Names {
		r.Names[i] = name(uint32(i) + 1)
	}
	lanes := make([]any, len(t.Lanes))
	for i, l := range t.Lanes {
		lanes[i] = map[string]any{"live": l.Live, "expire": l.Expire, "cascade": l.Cascade, "reject": l.Reject, "cost": l.Cost, "finding": l.Finding}
	}
	r.Timeline = map[string]any{"computed": max(t.Computed, 0), "done": true, "events": t.Events, "bucket": t.Bucket, "lanes": lanes}
}

// Limits of the costs. A recording beyond them has none.
const (
	costsMax     = 1 << 24  // maximum number of ticks times that of lanes: the engine has to stop at every tick
	costBytesMax = 16 << 20 // maximum size of the costs in bytes, where equal ones of consecutive ticks are written once
)

// lookEvents is the number of events, or of ticks without events, after which the context is checked.
const lookEvents = 1 << 12

// recorder collects the events, costs and clocks of a recording.
type recorder struct {
	*recording
	p     *program.Program
	e     source
	spent []int64 // total cost of each lane up to its last event
	last  []engine.LaneCost
	costs *protocol.CostRuns
	seq   int64
}

// record returns a recording without names and timeline. It has the costs only if costed is set.
func record(ctx context.Context, p *program.Program, e source, o Options, costed bool) (*recording, error) {
	snap := e.Snapshot(0)
	n := len(snap.Lanes)
	r := &recorder{
		recording: &recording{
			Run: p.Digest()[:sim.DigestShort], Name: p.Scenario.Name, Open: o.Open, Note: o.Note, Scenario: scenarioOf(p), Lanes: make([]lane, n),
			Rows: []byte{'['}, Costed: costed, Steps: []int64{}, Clocks: make([][]int64, n),
		},
		p: p, e: e, spent: make([]int64, n), last: make([]engine.LaneCost, n), costs: protocol.NewCostRuns(n),
	}
	facts := p.Scenario.Facts()
	for i := range snap.Lanes {
		l := &p.Scenario.Lanes[i]
		r.Lanes[i] = lane{ID: l.ID, Facts: knowledge.Titled(facts[i]), Params: l.Params, Levels: [][]int64{}}
		for _, v := range snap.Lanes[i].Levels {
			r.Lanes[i].Levels = append(r.Lanes[i].Levels, []int64{int64(v.Level), int64(v.Slots), v.Width})
		}
		r.last[i] = snap.Lanes[i].Cost
		r.Clocks[i] = []int64{-1, r.last[i].Clock, 0}
	}
	var recs []engine.Record
	for t := int64(0); t <= p.Until; t++ {
		if !r.Costed {
			t = r.skip(t)
		}
		recs = e.Tick(t, recs[:0])
		if err := e.Err(); err != nil {
			return nil, err
		}
		if err := r.tick(ctx, t, recs); err != nil {
			return nil, err
		}
	}
	r.Rows = append(r.Rows, ']')
	r.Costs = []byte("[]")
	if r.Costed {
		r.Costs = slices.Concat([]byte{'['}, r.costs.List(), []byte{']'})
	}
	return r.recording, nil
}

// skip returns the first tick from t on that has events, or in which a clock may begin to move or to rest: that before
// one with events, and those at the borders of a stall. If there is none, it returns the last tick of the run.
func (r *recorder) skip(t int64) int64 {
	if t <= 1 { // where clocks begin to move
		return t
	}
	to := r.p.Until
	if next, ok := r.e.Next(); ok && next > to {
		return next // which is an error of a recorded trace
	} else if ok {
		to = max(t, next-1)
	}
	if from, end, ok := r.p.StallAfter(t - 1); ok && t <= from+1 {
		to = min(to, from+1)
	} else if ok {
		to = min(to, end)
	}
	return to
}

// tick adds the events recs of tick t, and the costs and clocks at its end.
func (r *recorder) tick(ctx context.Context, t int64, recs []engine.Record) error {
	for k := range recs {
		if k%lookEvents == 0 {
			if err := fairqueue.Pace(ctx); err != nil {
				return err
			}
		}
		rec := &recs[k]
		if r.seq++; r.seq > EventsMax {
			return errTooLong(r.seq)
		}
		if r.seq > 1 {
			r.Rows = append(r.Rows, ',')
		}
		r.Rows = protocol.AppendRow(r.Rows, rec, r.seq, r.p.Start, rec.Cost-r.spent[rec.Lane])
		r.spent[rec.Lane] = rec.Cost
	}
	from := 0
	for _, end := range r.e.StepEnds() {
		r.Steps = append(r.Steps, int64(end-from))
		from = end
	}
	for i := range r.last {
		now := r.e.Cost(i)
		c := r.Clocks[i]
		if at := c[len(c)-3:]; now.Clock != at[1]+at[2]*(t-at[0]) {
			moves := min(max(now.Clock-r.last[i].Clock, 0), 1)
			r.Clocks[i] = append(c, t, now.Clock, moves)
		}
		r.last[i] = now
	}
	if t%lookEvents == 0 {
		if err := fairqueue.Pace(ctx); err != nil {
			return err
		}
	}
	if r.Costed {
		r.costs.Add(t, r.last)
		r.Costed = r.costs.Len() <= costBytesMax
	}
	return nil
}

func scenarioOf(p *program.Program) scenarioHead {
	sc := p.Scenario
	in := func(t scenario.Text) map[string]string {
		return map[string]string{"en": t.In("en"), "zh": t.In("zh")}
	}
	return scenarioHead{cmp.Or(sc.Name, sc.File), in(sc.Title), in(sc.Summary), in(sc.Question), sc.Tick, p.Start, p.Until}
}
