package player

import (
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// frame is the complete state of all lanes after an event, or before the first event. To compute the state at
// another position, the player starts from a frame and applies the events after it. Lanes has the same form
// as the lanes of a "state" message (docs/MESSAGES.md), all of them in mode "full".
type frame struct {
	Seq   int64       `json:"seq"` // number of the last event before the state; 0 means none
	Lanes []laneState `json:"lanes"`
}

// laneState is the state of a lane in the form of a "state" message. Ticks are relative to the start of
// the scenario.
type laneState struct {
	Mode   string  `json:"mode"`   // always "full": all timers are listed
	Now    int64   `json:"now"`    // tick that the lane's clock has reached
	Levels [][]any `json:"levels"` // for each level: level, number of slots, width of a slot in base ticks
	Places [][]any `json:"places"` // for each place: level, slot, number of timers, timers (see entriesOf)
	Arming []int64 `json:"arming"` // timer that is scheduled but not placed yet, as five numbers (see entriesOf); empty means none
	Queue  [][]any `json:"queue"`  // for each slot in the delay queue: level, slot, due tick of the slot
	// Counts contains the numbers of pending timers, of timers scheduled, rejected and cancelled, of runs that
	// have fired, of operations that found no timer, of early and late runs, and of findings.
	Counts [9]int64 `json:"counts"`
	Cost   [4]int64 `json:"cost"` // cost of the current tick, highest cost of a tick, tick with that cost, total cost
}

func frameOf(p *program.Program, snap *engine.Snapshot) frame {
	f := frame{Seq: snap.Seq, Lanes: make([]laneState, len(snap.Lanes))}
	for i := range snap.Lanes {
		f.Lanes[i] = stateOf(&snap.Lanes[i], p.Start)
	}
	return f
}

func stateOf(s *engine.LaneSnapshot, start int64) laneState {
	c := &s.Counts
	l := laneState{
		Mode: "full", Now: s.Cost.Clock, Levels: [][]any{}, Places: [][]any{}, Arming: []int64{}, Queue: [][]any{},
		Counts: [9]int64{int64(s.Live), c.Scheduled, c.Rejected, c.Cancelled, c.Expired, c.Missed, c.Early, c.Late, c.Findings},
		Cost:   [4]int64{s.Cost.Tick, s.Cost.Worst, s.Cost.WorstAt, s.Cost.Total},
	}
	for _, v := range s.Levels {
		l.Levels = append(l.Levels, []any{v.Level, v.Slots, v.Width})
	}
	for i := range s.Places {
		place := &s.Places[i]
		l.Places = append(l.Places, []any{place.Level, place.Slot, place.Count, entriesOf(place.Entries, start)})
	}
	if s.Arming != nil {
		l.Arming = entriesOf([]wheel.Entry{*s.Arming}, start)
	}
	for _, b := range s.Queue {
		l.Queue = append(l.Queue, []any{b.Level, b.Slot, b.Due - start})
	}
	return l
}

// entriesOf returns entries as a flat list with five elements for each timer: ID, due tick relative to start,
// rounds (-1 means none), run and marks; see [engine.Marks].
func entriesOf(entries []wheel.Entry, start int64) []int64 {
	flat := make([]int64, 0, 5*len(entries))
	for i := range entries {
		e := &entries[i]
		rounds, marked := engine.Marks(e, start)
		flat = append(flat, int64(e.ID), e.Due-start, rounds, int64(e.Run), marked)
	}
	return flat
}
