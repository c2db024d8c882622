package player

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// score is what the player needs besides the trace; static/js/offline/file.js reads it.
// Times are base ticks relative to the scenario's start.
type score struct {
	Run      string         `json:"run"`
	Name     string         `json:"name"`
	Open     int64          `json:"open"`
	Note     *Note          `json:"note"`
	Scenario scenario       `json:"scenario"`
	Lanes    []lane         `json:"lanes"`
	Events   int64          `json:"events"`
	Stops    []int64        `json:"stops,omitempty"` // ticks at which the cursor can stand, each as its distance from the one before; none: every tick
	Ticks    []int64        `json:"ticks"`           // at which something happens, in the same way
	Counts   []int64        `json:"counts"`          // events of each of those
	Steps    []int64        `json:"steps"`           // events of each step
	Spent    []int64        `json:"spent"`           // by event: units since its lane's event before in the tick
	Missed   []int64        `json:"missed"`          // seq, id: a trace tells a miss by name only
	Costs    []laneCosts    `json:"costs"`
	Frames   []frame        `json:"frames"`
	Names    []any          `json:"names"`
	Timeline map[string]any `json:"timeline"`
	Recorded bool           `json:"recorded,omitempty"` // the events are shown as recorded: costs are not known
}

// scenario and lane are those of a `hello`, the texts in every language.
type scenario struct {
	Name     string            `json:"name"`
	Title    map[string]string `json:"title"`
	Summary  map[string]string `json:"summary"`
	Question map[string]string `json:"question"`
	Tick     string            `json:"tick"`
	Start    int64             `json:"start"`
	Until    int64             `json:"until"`
}

type lane struct {
	ID string `json:"id"`
	algorithms.Facts
	Params catalog.Params `json:"params"`
}

// Bounds of a score.
const (
	costsMax    = 1 << 21 // ticks times lanes whose costs are told one by one
	frameEvents = 1 << 13 // events between two frames, at least
)

// newScore runs the program once and notes all that its trace does not tell.
func newScore(ctx context.Context, run *sim.Run, o Options) (*score, error) {
	e, err := sim.NewEngine(run.Program())
	if err != nil {
		return nil, err
	}
	e.Bind(ctx)
	s, err := scoreFrom(ctx, run.Program(), computed{e}, o)
	if err != nil {
		return nil, err
	}
	s.Names, s.Timeline = namesOf(run.Program(), run.Program().Name), timelineOf(run.Timeline())
	return s, nil
}

// recordedScore notes what follows from the events of a trace.
func recordedScore(ctx context.Context, p *sim.Program, r *sim.Recorded, o Options) (*score, error) {
	s, err := scoreFrom(ctx, p, r, o)
	if err != nil {
		return nil, err
	}
	s.Names, s.Timeline, s.Recorded = namesOf(p, r.Name), timelineOf(r.Timeline()), true
	return s, nil
}

// scoreFrom notes all of a score but its names and timeline.
func scoreFrom(ctx context.Context, p *sim.Program, e source, o Options) (*score, error) {
	s := &score{
		Run: p.Digest()[:sim.DigestShort], Name: p.Scenario.Name, Open: o.Open, Note: o.Note, Scenario: scenarioOf(p),
		Lanes: lanesOf(p), Ticks: []int64{}, Counts: []int64{}, Steps: []int64{}, Spent: []int64{}, Missed: []int64{},
	}
	r := &recorder{score: s, p: p, e: e, every: (p.Until+1)*int64(len(s.Lanes)) <= costsMax, stop: -1}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func scenarioOf(p *sim.Program) scenario {
	sc := p.Scenario
	in := func(t sim.Text) map[string]string {
		return map[string]string{"en": t.In("en"), "zh": t.In("zh")}
	}
	return scenario{sc.Name, in(sc.Title), in(sc.Summary), in(sc.Question), sc.Tick, p.Start, p.Until}
}

// lanesOf gives what does not change about the lanes.
func lanesOf(p *sim.Program) []lane {
	list := make([]lane, len(p.Scenario.Lanes))
	for i, f := range p.Scenario.Facts() {
		l := &p.Scenario.Lanes[i]
		list[i] = lane{l.ID, f, l.Params}
	}
	return list
}

// timelineOf is the run in brief, as the page is told it.
func timelineOf(t *sim.Timeline) map[string]any {
	lanes := make([]any, len(t.Lanes))
	for i, l := range t.Lanes {
		lanes[i] = map[string]any{"live": l.Live, "expire": l.Expire, "cascade": l.Cascade, "reject": l.Reject, "cost": l.Cost, "finding": l.Finding}
	}
	return map[string]any{"computed": max(t.Computed, 0), "done": true, "events": t.Events, "bucket": t.Bucket, "lanes": lanes}
}

// namesOf gives the names of timers by id, from 1: a name, or [prefix, first, count]
// for names that are a prefix and numbers that follow one another.
func namesOf(p *sim.Program, name func(id uint32) string) []any {
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
