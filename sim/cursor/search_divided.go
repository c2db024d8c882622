package cursor

import (
	"context"
	"hash/maphash"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// tickScan is a search within a tick that is divided into chunks, for a condition that needs all events of
// the tick. It reads the chunks from first to last, even if the search goes backward.
type tickScan struct {
	tick      int64
	next, end int                 // numbers of the next chunk to search, and of the first chunk after the tick
	slots     []engine.SlotCounts // number of timers in each slot, indexed by lane; only for ConditionSlot
	outcomes  []outcomes          // timers fired and rejected so far, indexed by lane; only for ConditionDiffer
	costs     []engine.LaneCost   // costs of the lanes at the end of the tick; only for ConditionCost
	last      match               // last match so far in a backward search; valid if found is true
	found     bool                // whether last is set
}

// divide starts a search of tick, which consists of the chunks [first, end). Later calls to nextPart continue it.
func (s *search) divide(ctx context.Context, tick int64, first, end int) (err error) {
	d := &tickScan{tick: tick, next: first, end: end}
	switch s.query.Condition {
	case ConditionSlot:
		d.slots, err = slotCounts(ctx, s.run, tick-1)
	case ConditionDiffer:
		d.outcomes = make([]outcomes, len(s.run.Program().Scenario.Lanes))
	case ConditionCost: // no records are needed
		d.costs, err = s.run.CostsAfter(ctx, tick)
		d.next = end
	}
	if err == nil {
		s.divided = d
	}
	return err
}

// nextDividedPart searches the next chunk of the tick to which s.divided belongs. When all its chunks have been
// searched, nextDividedPart returns the result for the whole tick. The results have the same meaning as those of
// nextPart.
func (s *search) nextDividedPart(ctx context.Context) (goal, progress, error) {
	d := s.divided
	if d.next == d.end {
		s.divided = nil
		return s.chooseDivided(ctx, d)
	}
	ctx, leave, err := s.run.Enter(ctx)
	if err != nil {
		return goal{}, partMore, err
	}
	defer leave()
	c, err := s.run.ScanChunk(ctx, d.next)
	if err != nil {
		return goal{}, partMore, err
	}
	d.next++
	if s.query.Condition == ConditionDiffer {
		d.compare(c)
		return goal{}, partMore, nil
	}
	m, ok, err := s.pick(ctx, slotMatchesIn(c, d.slots, s.query))
	switch {
	case err != nil || !ok:
	case s.forward:
		return m.at, partFound, nil
	default:
		d.last, d.found = m, true
	}
	if !s.forward && d.tick == s.from.Tick && c.Last() >= s.from.Seq {
		d.next = d.end // the rest is after the cursor
	}
	return goal{}, partMore, err
}

// chooseDivided evaluates d, a completed search within a tick. Its results have the same meaning as those of nextPart.
func (s *search) chooseDivided(ctx context.Context, d *tickScan) (goal, progress, error) {
	whole := []match{{tick: d.tick, at: goal{tick: d.tick}}}
	switch {
	case d.found:
		return d.last.at, partFound, nil
	case s.query.Condition == ConditionDiffer && d.differ(), s.query.Condition == ConditionCost && s.query.exceeded(d.costs):
		return s.choose(ctx, whole)
	}
	return goal{}, partMore, nil
}

// outcomes summarizes the timers that a lane fires and rejects in a tick: their number and two sums of hashes, which
// do not depend on the order of the timers.
type outcomes struct {
	count int64
	sums  [2]uint64
}

var outcomeSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// compare adds the timers that are fired and rejected in chunk c to d.outcomes.
func (d *tickScan) compare(c *sim.Chunk) {
	for i := range c.Records {
		o, ok := engine.OutcomeOf(&c.Records[i])
		if !ok {
			continue
		}
		to := &d.outcomes[c.Records[i].Lane]
		to.count++
		for k, seed := range outcomeSeeds {
			to.sums[k] += maphash.Comparable(seed, o)
		}
	}
}

// differ reports whether the lanes did not all fire and reject the same timers in the tick.
func (d *tickScan) differ() bool {
	for i := range d.outcomes {
		if d.outcomes[i] != d.outcomes[0] {
			return true
		}
	}
	return false
}
