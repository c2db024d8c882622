package web

import (
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// view returns the page of a run at a snapshot.
func (s *Server) view(run *sim.Run, snap *sim.Snapshot, lang string) templates.Page {
	p := run.Program()
	sc, texts := p.Scenario, templates.Texts(static.Texts(lang))
	v := templates.Page{
		Lang: lang, Base: s.base, Scenarios: s.choices(p, lang),
		Name: sc.Name, Title: texts.Called(sc.Title.In(lang), sc.Name), Summary: sc.Summary.In(lang), Question: sc.Question.In(lang),
		Tick: sc.Tick, Until: p.Until, Now: snap.Tick, Seq: snap.Seq, Run: run.Digest()[:RunDigits], Worker: s.tasks.ask != nil,
		Texts: texts, Assets: static.Path, Module: static.Modules(), Sheet: static.Sheet,
	}
	info := sc.Facts()
	for i := range snap.Lanes {
		v.Lanes = append(v.Lanes, laneOf(p, i, &info[i], &snap.Lanes[i], lang))
	}
	return v
}

// choices returns the entries of the scenario picker.
func (s *Server) choices(shown *sim.Program, lang string) []templates.Choice {
	texts := templates.Texts(static.Texts(lang))
	var list []templates.Choice
	if given := s.books.given; given != nil {
		sc := given.Scenario
		list = append(list, templates.Choice{Name: sc.Name, Title: texts.Called(sc.Title.In(lang), sc.Name), Summary: sc.Summary.In(lang), Selected: shown == given})
	}
	for _, b := range sim.Builtins() {
		if s.books.given != nil && b.Name == s.books.given.Scenario.Name {
			continue // the file of the command line has that name
		}
		list = append(list, templates.Choice{Name: b.Name, Title: b.Title.In(lang), Summary: b.Summary.In(lang),
			Selected: shown != s.books.given && b.Name == shown.Scenario.Name})
	}
	if !slices.ContainsFunc(list, func(c templates.Choice) bool { return c.Selected }) {
		sc := shown.Scenario // a trial, which is not in the list
		list = append(list, templates.Choice{Name: sc.Name, Title: texts.Called(sc.Title.In(lang), sc.Name), Summary: sc.Summary.In(lang), Selected: true})
	}
	return list
}

func laneOf(p *sim.Program, i int, info *algorithms.Facts, snap *sim.LaneSnapshot, lang string) templates.Lane {
	spec := &p.Scenario.Lanes[i]
	c := snap.Counts
	return templates.Lane{
		ID: spec.ID, Algorithm: spec.Algorithm, Title: info.Title.In(lang), Geometry: geometryWords(info, snap.Levels, p.Scenario.Tick, lang),
		Exact: info.Exact, Shape: string(info.Shape), Arity: info.Arity, Until: p.Until, Params: spec.Params, Queue: queueOf(p, snap.Queue),
		Levels: levelsOf(p, info, snap), Places: placesOf(p, snap.Places, templates.TimersShown),
		Totals: templates.Totals{Live: int64(snap.Live), Fired: c.Expired, Cancelled: c.Cancelled, Rejected: c.Rejected, Early: c.Early, Late: c.Late},
		Cost:   templates.Cost{Tick: snap.Cost.Tick, Worst: snap.Cost.Worst, WorstAt: snap.Cost.WorstAt, Total: snap.Cost.Total},
	}
}

func levelsOf(p *sim.Program, info *algorithms.Facts, snap *sim.LaneSnapshot) []templates.Level {
	var list []templates.Level
	for _, l := range snap.Levels {
		list = append(list, templates.Level{Level: l.Level, Slots: l.Slots, Width: l.Width, Hand: handAt(info, l, p.Start, snap.Cost.Clock)})
	}
	if info.Shape == wheel.ShapeSlices { // its hand is the current second
		list[0].Hand = int(secondOf(p.Start+snap.Cost.Clock, p.Scenario.Tick))
	}
	return list
}

// secondOf returns the second in which a tick falls. The length of a tick need not divide a second,
// and the product of the two may need more than 64 bits.
func secondOf(tick int64, length string) int64 {
	d, _ := time.ParseDuration(length) // planning has parsed it
	whole, rest := int64(d/time.Second), int64(d%time.Second)
	const second = int64(time.Second)
	return tick*whole + tick/second*rest + tick%second*rest/second
}

// handAt returns the slot under a level's hand when the lane's clock is `now` ticks after the
// start: floor(t / width) mod slots, where t is the absolute tick, or `now` if slots are counted
// from the start. It returns -1 if the level has no hand. handSlot in static/js/state/lane-state.js does
// the same.
func handAt(info *algorithms.Facts, l wheel.Level, start, now int64) int {
	if info.Shape != wheel.ShapeRing || l.Level < 0 || l.Slots == 0 {
		return -1
	}
	if !info.Relative {
		now += start
	}
	return int(now / l.Width % int64(l.Slots))
}

func queueOf(p *sim.Program, queue []wheel.Bucket) []templates.Bucket {
	list := make([]templates.Bucket, len(queue))
	for i, b := range queue {
		list[i] = templates.Bucket{Level: int(b.Level), Slot: int(b.Slot), Due: b.Due - p.Start}
	}
	return list
}

func placesOf(p *sim.Program, places []wheel.Place, most int) []templates.Place {
	list := make([]templates.Place, len(places))
	for i := range places {
		from := &places[i]
		to := templates.Place{Level: int(from.Level), Slot: int(from.Slot), Count: from.Count}
		for _, e := range from.Entries[:min(len(from.Entries), most)] {
			t := templates.Timer{ID: e.ID, Name: p.Name(e.ID), Due: e.Due - p.Start, Marked: e.Marked}
			if e.Rounds != wheel.NoRounds {
				t.Rounds, t.HasRounds = e.Rounds, true
			}
			to.Timers = append(to.Timers, t)
		}
		list[i] = to
	}
	return list
}
