package player

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// score holds the data of an HTML player, except for the page itself and the trace. static/js/offline/file.js
// reads it. Times are in base ticks relative to the start of the scenario.
type score struct {
	Run      string       `json:"run"`
	Name     string       `json:"name"`
	Open     int64        `json:"open"`
	Note     *Note        `json:"note"`
	Scenario scenarioHead `json:"scenario"`
	Lanes    []lane       `json:"lanes"`
	Events   int64        `json:"events"`
	// Stops lists the ticks at which the cursor can stop, each as the difference from the previous one. It is
	// absent if the cursor can stop at every tick.
	Stops  []int64 `json:"stops,omitempty"`
	Ticks  []int64 `json:"ticks"`  // ticks with events, each as the difference from the previous one
	Counts []int64 `json:"counts"` // number of events at each tick in Ticks
	Steps  []int64 `json:"steps"`  // number of events in each step
	// Spent lists the cost of each event: the cost that the lane has incurred since its previous event in the
	// same tick or, if the event is its first one in the tick, since the start of the tick.
	Spent []int64 `json:"spent"`
	// Missed is a flat list with two numbers for each miss, an operation that found no timer: the number of
	// the event and the ID of the timer. In the trace, the event of a miss contains only the name of the
	// timer.
	Missed []int64     `json:"missed"`
	Costs  []laneCosts `json:"costs"` // costs of each lane, in the order of Lanes
	// Work lists the costs of the ticks as an "events" message does, for the entry view. Those between stops are left out.
	Work     json.RawMessage `json:"work,omitempty"`
	Frames   []frame         `json:"frames"` // states at which the player can start, in order
	Names    []any           `json:"names"`  // names of the timers; see namesOf
	Timeline map[string]any  `json:"timeline"`
	Recorded bool            `json:"recorded,omitempty"` // whether the events are those of a trace that differs from the run; costs are then unknown
}

// scenarioHead describes the scenario with the fields of a "hello" message. Its texts are in every language.
type scenarioHead struct {
	Name     string            `json:"name"`
	Title    map[string]string `json:"title"`
	Summary  map[string]string `json:"summary"`
	Question map[string]string `json:"question"`
	Tick     string            `json:"tick"`
	Start    int64             `json:"start"`
	Until    int64             `json:"until"`
}

// lane describes a lane with the fields of a "hello" message. Its texts are in every language.
type lane struct {
	ID string `json:"id"`
	knowledge.Facts
	Params catalog.Params `json:"params"`
}

// Limits of the data of a player.
const (
	// costsMax limits the runs in which the cursor can stop at every tick: the number of their ticks times the
	// number of their lanes is at most costsMax. In larger runs, the cursor can stop only at some ticks.
	costsMax    = 1 << 21
	frameEvents = 1 << 13 // minimum number of events between two elements of score.Frames
)

// newScore runs the program of run once and returns the score, which is all of a player's data except the
// trace. It has the data of the entry view if entry is set.
func newScore(ctx context.Context, run *sim.Run, o Options, entry bool) (*score, error) {
	e, err := engine.NewEngine(run.Program())
	if err != nil {
		return nil, err
	}
	e.Bind(ctx)
	s, err := scoreFrom(ctx, run.Program(), computed{e}, o, entry)
	if err != nil {
		return nil, err
	}
	s.Names, s.Timeline = namesOf(run.Program(), run.Program().Name), timelineOf(run.Timeline())
	return s, nil
}

// recordedScore is like newScore, but the events are those of the recorded trace r, which may differ from the
// run of p. The costs in the score are 0, because a trace contains no costs.
func recordedScore(ctx context.Context, p *program.Program, r *compare.Recorded, o Options) (*score, error) {
	s, err := scoreFrom(ctx, p, r, o, false)
	if err != nil {
		return nil, err
	}
	s.Names, s.Timeline, s.Recorded = namesOf(p, r.Name), timelineOf(r.Timeline()), true
	return s, nil
}

// scoreFrom computes the score of p from the events, states and costs of e. It does not set the fields Names
// and Timeline.
func scoreFrom(ctx context.Context, p *program.Program, e source, o Options, entry bool) (*score, error) {
	s := &score{
		Run: p.Digest()[:sim.DigestShort], Name: p.Scenario.Name, Open: o.Open, Note: o.Note, Scenario: scenarioOf(p),
		Lanes: lanesOf(p), Ticks: []int64{}, Counts: []int64{}, Steps: []int64{}, Spent: []int64{}, Missed: []int64{},
	}
	r := &recorder{score: s, p: p, e: e, every: (p.Until+1)*int64(len(s.Lanes)) <= costsMax, stop: -1}
	if entry {
		r.work = protocol.NewCostRuns(len(s.Lanes))
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	if entry {
		s.Work = slices.Concat([]byte("["), r.work.List(), []byte("]"))
	}
	return s, nil
}

func scenarioOf(p *program.Program) scenarioHead {
	sc := p.Scenario
	in := func(t scenario.Text) map[string]string {
		return map[string]string{"en": t.In("en"), "zh": t.In("zh")}
	}
	return scenarioHead{cmp.Or(sc.Name, sc.File), in(sc.Title), in(sc.Summary), in(sc.Question), sc.Tick, p.Start, p.Until}
}

// lanesOf returns the properties of the lanes that do not change during a run.
func lanesOf(p *program.Program) []lane {
	list := make([]lane, len(p.Scenario.Lanes))
	for i, f := range p.Scenario.Facts() {
		l := &p.Scenario.Lanes[i]
		list[i] = lane{l.ID, knowledge.Titled(f), l.Params}
	}
	return list
}

// timelineOf returns t in the form of a "timeline" message.
func timelineOf(t *sim.Timeline) map[string]any {
	lanes := make([]any, len(t.Lanes))
	for i, l := range t.Lanes {
		lanes[i] = map[string]any{"live": l.Live, "expire": l.Expire, "cascade": l.Cascade, "reject": l.Reject, "cost": l.Cost, "finding": l.Finding}
	}
	return map[string]any{"computed": max(t.Computed, 0), "done": true, "events": t.Events, "bucket": t.Bucket, "lanes": lanes}
}

// namesOf returns the names of all timers of p in the order of their IDs, which begin at 1. The function name
// returns the name of the timer with the given ID. An element of the result is either a name, or a list
// [prefix, first, count] for count names that consist of prefix and the consecutive numbers from first.
func namesOf(p *program.Program, name func(id uint32) string) []any {
	list := []any{}
	prefix, first, count := "", int64(0), int64(0)
	flush := func() {
		if count > 0 {
			list = append(list, []any{prefix, first, count})
		}
		count = 0
	}
	for id := 1; id <= p.Timers(); id++ {
		head, number, ok := numbered(name(uint32(id)))
		if ok && count > 0 && head == prefix && number == first+count {
			count++
			continue
		}
		flush()
		if !ok {
			list = append(list, name(uint32(id)))
			continue
		}
		prefix, first, count = head, number, 1
	}
	flush()
	return list
}
