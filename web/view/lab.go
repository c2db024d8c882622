package view

import (
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// Options contains the properties of a server that affect the page of a run.
type Options struct {
	Base   string           // path prefix of all URLs, such as "/wheelscope"; may be ""
	Given  *program.Program // scenario that was given on the command line; nil if there is none
	Worker bool             // whether the server has a page about workers
	Site   *templates.Site  // properties of the static site that contains the page; nil on a server
}

// Lab returns the page that shows run at the position of snap, with texts in the language lang.
func Lab(o Options, run *sim.Run, snap *engine.Snapshot, lang string) templates.Page {
	p, v := run.Program(), Plain(o, lang)
	sc := p.Scenario
	v.Scenarios, v.Worker, v.Module = choices(o.Given, p, lang), o.Worker, static.Modules()
	v.Name, v.Title, v.Summary, v.Question = sc.Name, v.Texts.Called(sc.Called(lang)), sc.Summary.In(lang), sc.Question.In(lang)
	v.Tick, v.Until, v.Now, v.Seq, v.Run = sc.Tick, p.Until, snap.Tick, snap.Seq, run.Digest()[:sim.DigestShort]
	v.Wall = wallClock(snap.Tick, p.Start, sc.Tick)
	info := sc.Facts()
	for i := range snap.Lanes {
		v.Lanes = append(v.Lanes, laneOf(p, i, &info[i], &snap.Lanes[i], lang))
	}
	return v
}

// Plain returns the data that all pages need, with texts in the language lang.
func Plain(o Options, lang string) templates.Page {
	return templates.Page{Lang: lang, Base: o.Base, Site: o.Site, Texts: static.Texts(lang), Assets: static.Path, Sheet: static.Sheet}
}

// choices returns the entries of the scenario picker. shown is the scenario that the page shows. given is the
// one that was given on the command line; it may be nil.
func choices(given, shown *program.Program, lang string) []templates.Choice {
	var list []templates.Choice
	add := func(sc *scenario.Scenario, selected bool) {
		title := static.Texts(lang).Called(sc.Called(lang))
		list = append(list, templates.Choice{Name: sc.Name, Title: title, Summary: sc.Summary.In(lang), Selected: selected})
	}
	if given != nil {
		add(given.Scenario, shown == given)
	}
	for _, b := range library.Builtins() {
		if given != nil && b.Name == given.Scenario.Name {
			continue // the file of the command line has that name
		}
		list = append(list, templates.Choice{Name: b.Name, Title: b.Title.In(lang), Summary: b.Summary.In(lang),
			Selected: shown != given && b.Name == shown.Scenario.Name})
	}
	if !slices.ContainsFunc(list, func(c templates.Choice) bool { return c.Selected }) {
		add(shown.Scenario, true) // a trial, which is not in the list
	}
	return list
}

// laneOf returns lane i of p as shown on a page, in the state snap and with texts in the language lang. info holds the
// properties of the lane's wheel.
func laneOf(p *program.Program, i int, info *algorithms.Facts, snap *engine.LaneSnapshot, lang string) templates.Lane {
	spec := &p.Scenario.Lanes[i]
	c := snap.Counts
	return templates.Lane{
		ID: spec.ID, Algorithm: spec.Algorithm, Title: knowledge.Title(spec.Algorithm).In(lang), Geometry: geometryWords(info, snap.Levels, static.Texts(lang)),
		Spans: turnWords(info, snap.Levels, p.Scenario.Tick, static.Texts(lang)),
		Exact: info.Exact, Shape: string(info.Shape), Arity: info.Arity, Until: p.Until, Params: spec.Params, Queue: queueOf(p, snap.Queue),
		Levels: levelsOf(p, info, snap, static.Texts(lang)), Places: placesOf(p, snap.Places, templates.TimersShown),
		Totals: templates.Totals{Live: int64(snap.Live), Fired: c.Expired, Cancelled: c.Cancelled, Rejected: c.Rejected, Early: c.Early, Late: c.Late},
		Cost:   costOf(&snap.Cost),
	}
}

func costOf(c *engine.LaneCost) templates.Cost {
	return templates.Cost{Tick: c.Tick, Worst: c.Worst, WorstAt: c.WorstAt, Total: c.Total,
		Slots: c.Work.Slots, Touched: c.Work.Touched, Compared: c.Work.Compared, Moved: c.Work.Moved}
}

func levelsOf(p *program.Program, info *algorithms.Facts, snap *engine.LaneSnapshot, in texts.Catalogue) []templates.Level {
	var list []templates.Level
	for _, l := range snap.Levels {
		one := templates.Level{Level: l.Level, Slots: l.Slots, Width: l.Width, Hand: handAt(info, l, p.Start, snap.Cost.Clock)}
		if info.Shape == wheel.ShapeRing {
			one.Span = spanWords(l, p.Scenario.Tick, in)
		}
		list = append(list, one)
	}
	if info.Shape == wheel.ShapeSlices { // its hand is the current second
		list[0].Hand = int(secondOf(p.Start+snap.Cost.Clock, p.Scenario.Tick))
	}
	return list
}

// secondOf returns the time from tick 0 to the given tick in seconds, rounded down. length is the length of a
// base tick. The result is exact even if that time overflows a time.Duration.
func secondOf(tick int64, length string) int64 {
	d, _ := time.ParseDuration(length) // planning has parsed it
	whole, rest := int64(d/time.Second), int64(d%time.Second)
	const second = int64(time.Second)
	return tick*whole + tick/second*rest + tick%second*rest/second
}

// handAt returns the index of the slot under the hand of level l, or -1 if the level has no hand. start is the
// absolute start tick of the scenario, and now is the tick of the lane's clock relative to start. The hand enters
// slot 0 at absolute tick 0 or, if info.Relative is true, at the start of the scenario. The function handSlot in
// static/js/state/lane-state.js must return the same index.
func handAt(info *algorithms.Facts, l wheel.Level, start, now int64) int {
	if info.Shape != wheel.ShapeRing || l.Level < 0 || l.Slots == 0 {
		return -1
	}
	if !info.Relative {
		now += start
	}
	return int(now / l.Width % int64(l.Slots))
}

func queueOf(p *program.Program, queue []wheel.Bucket) []templates.Bucket {
	list := make([]templates.Bucket, len(queue))
	for i, b := range queue {
		list[i] = templates.Bucket{Level: int(b.Level), Slot: int(b.Slot), Due: b.Due - p.Start}
	}
	return list
}

// placesOf converts places to the form in which a page shows them. It includes at most the first n timers of each
// place.
func placesOf(p *program.Program, places []wheel.Place, n int) []templates.Place {
	list := make([]templates.Place, len(places))
	for i := range places {
		from := &places[i]
		to := templates.Place{Level: int(from.Level), Slot: int(from.Slot), Count: from.Count}
		for _, e := range from.Entries[:min(len(from.Entries), n)] {
			t := templates.Timer{ID: e.ID, Name: p.Name(e.ID), Due: e.Due - p.Start, Marked: e.Marked}
			if e.Rounds != wheel.NoRounds {
				t.Rounds, t.HasRounds = e.Rounds, true
			}
			if e.Stale {
				t.Stale, t.Key = true, e.Key-p.Start
			}
			to.Timers = append(to.Timers, t)
		}
		list[i] = to
	}
	return list
}
