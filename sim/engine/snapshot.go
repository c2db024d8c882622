package engine

import (
	"sync"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Snapshot is the state of all lanes of a run after its first Seq events. Lanes is indexed by lane.
type Snapshot struct {
	Tick  int64 // tick that the run has reached; 0 in the initial state
	Seq   int64
	Lanes []LaneSnapshot
}

// LaneSnapshot is the state of one lane at a position in a run.
type LaneSnapshot struct {
	wheel.State
	Cost LaneCost
}

// LaneCost holds the costs of a lane at a position in a run, in units of work, and the time of the lane's clock.
type LaneCost struct {
	Tick    int64 // cost of the current tick so far
	Worst   int64 // highest cost of one tick so far
	WorstAt int64 // first tick whose cost was Worst
	Total   int64
	Clock   int64 // time of the wheel or, for a port.HandClock, of its hand, in base ticks since the scenario's start
	// Work divides the cost of the current tick into the four counters. Unlike Tick, it covers the whole tick also at a
	// position within it, because events record only the total cost.
	Work wheel.Cost
}

// UpTo returns the cost of a lane at a position within the given tick, at which the lane's total cost is total.
// c is the cost at the end of the previous tick, and after is the cost at the end of the given tick. UpTo copies
// the Clock of after, because a lane's clock moves before the events of a tick occur, and its Work.
func (c LaneCost) UpTo(tick, total int64, after *LaneCost) LaneCost {
	c.Clock, c.Work = after.Clock, after.Work
	c.Tick, c.Total = total-c.Total, total
	if c.Tick > c.Worst {
		c.Worst, c.WorstAt = c.Tick, tick
	}
	return c
}

// Snapshot returns the current state of all lanes. The state lists at most limit timers per wheel.Place, or all
// if limit is wheel.AllEntries.
func (e *Engine) Snapshot(limit int) *Snapshot {
	s, _ := snapshotPool.Get().(*Snapshot)
	if s == nil || len(s.Lanes) != len(e.Lanes) {
		s = &Snapshot{Lanes: make([]LaneSnapshot, len(e.Lanes))}
	}
	s.Tick, s.Seq = max(0, e.At()), e.Emitted()
	for i, l := range e.Lanes {
		l.snapshot(&s.Lanes[i], limit)
	}
	return s
}

// snapshotPool holds the snapshots passed to Snapshot.Recycle. Engine.Snapshot reuses their memory.
var snapshotPool sync.Pool

// Recycle makes the memory of s available to later snapshots. s must not be used afterwards.
func (s *Snapshot) Recycle() {
	for i := range s.Lanes {
		places := s.Lanes[i].Places
		clear(places)
		s.Lanes[i] = LaneSnapshot{State: wheel.State{Places: places[:0]}}
	}
	snapshotPool.Put(s)
}

// Costs returns the current cost of each lane, as [Lane.Cost] does, indexed by lane.
func (e *Engine) Costs() []LaneCost {
	costs := make([]LaneCost, len(e.Lanes))
	for i, l := range e.Lanes {
		costs[i] = l.Cost()
	}
	return costs
}

// Fold applies recs, which must be records of the given tick, to s. Before the call, s must be the state at the
// end of the previous tick, with all timers listed. After the call, s lists at most limit timers per
// wheel.Place. after contains the costs of the lanes at the end of the given tick, indexed by lane. Fold returns an
// error if a record does not fit the state.
func (s *Snapshot) Fold(p *program.Program, tick int64, recs []Record, limit int, after []LaneCost) error {
	folds := make([]*wheel.Fold, len(s.Lanes))
	for i := range s.Lanes {
		folds[i] = wheel.NewFold(&s.Lanes[i].State)
	}
	spent := make([]LaneCost, len(s.Lanes))
	for i := range s.Lanes {
		spent[i] = s.Lanes[i].Cost.UpTo(tick, s.Lanes[i].Cost.Total, &after[i])
	}
	for k := range recs {
		r := &recs[k]
		if err := folds[r.Lane].Apply(p.Start+r.Tick, &r.Event); err != nil {
			return err
		}
		spent[r.Lane] = s.Lanes[r.Lane].Cost.UpTo(tick, r.Cost, &after[r.Lane])
	}
	for i := range s.Lanes {
		s.Lanes[i].State = folds[i].State(limit)
		s.Lanes[i].Cost = spent[i]
	}
	s.Tick, s.Seq = tick, s.Seq+int64(len(recs))
	return nil
}

// Marks returns the numbers by which messages and players encode the rounds and the marks of entry e. marked is the sum of 1 if the timer is cancelled and 2 if its
// key is stale; rounds is then the key, relative to start.
func Marks(e *wheel.Entry, start int64) (rounds, marked int64) {
	rounds = max(e.Rounds, -1)
	if e.Marked {
		marked = 1
	}
	if e.Stale {
		rounds, marked = e.Key-start, marked+2
	}
	return rounds, marked
}
