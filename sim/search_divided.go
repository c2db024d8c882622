package sim

import (
	"context"
	"github.com/wheelscope/wheelscope/sim/engine"
	"hash/maphash"
)

// tickScan is the state of a search within a tick that is divided into chunks, for a condition
// that needs all events of the tick. Its chunks are searched first to last in either direction
// of the search.
type tickScan struct {
	tick      int64
	next, end int               // numbers of chunks
	slots     []SlotCounts      // of the lanes, for WhatSlot
	outcomes  []outcomes        // of the lanes, for WhatDiffer
	costs     []engine.LaneCost // of the lanes at the end of the tick, for WhatCost
	last      match             // the last match so far of a search backward
	found     bool              // last is set
}

// divide begins to search the chunks [first, end) of a tick.
func (s *search) divide(ctx context.Context, tick int64, first, end int) (err error) {
	d := &tickScan{tick: tick, next: first, end: end}
	switch s.sought.What {
	case WhatSlot:
		d.slots, err = slotCounts(ctx, s.run, tick-1)
	case WhatDiffer:
		d.outcomes = make([]outcomes, len(s.run.Prog.Scenario.Lanes))
	case WhatCost: // no records are needed
		d.costs, err = s.run.costsAfter(ctx, tick)
		d.next = end
	}
	if err == nil {
		s.divided = d
	}
	return err
}

// lookDivided searches one chunk of a divided tick.
func (s *search) lookDivided(ctx context.Context) (goal, progress, error) {
	d := s.divided
	if d.next == d.end {
		s.divided = nil
		return s.chooseDivided(ctx, d)
	}
	ctx, leave, err := s.run.store.queue.Enter(ctx)
	if err != nil {
		return goal{}, lookedOn, err
	}
	defer leave()
	c, err := scanChunk(ctx, s.run, d.next)
	if err != nil {
		return goal{}, lookedOn, err
	}
	d.next++
	if s.sought.What == WhatDiffer {
		d.compare(c)
		return goal{}, lookedOn, nil
	}
	m, ok, err := s.pick(ctx, crowdedIn(c, d.slots, s.sought))
	switch {
	case err != nil || !ok:
	case s.forward:
		return m.at, lookFound, nil
	default:
		d.last, d.found = m, true
	}
	if !s.forward && d.tick == s.from.Tick && c.last() >= s.from.Seq {
		d.next = d.end // the rest is after the cursor
	}
	return goal{}, lookedOn, err
}

// chooseDivided returns the result after the last chunk of a divided tick.
func (s *search) chooseDivided(ctx context.Context, d *tickScan) (goal, progress, error) {
	whole := []match{{tick: d.tick, at: goal{tick: d.tick}}}
	switch {
	case d.found:
		return d.last.at, lookFound, nil
	case s.sought.What == WhatDiffer && d.differ(), s.sought.What == WhatCost && s.sought.exceeded(d.costs):
		return s.choose(ctx, whole)
	}
	return goal{}, lookedOn, nil
}

// outcomes identifies a multiset of outcomes by their number and the sums of two hashes, so
// that their order does not matter.
type outcomes struct {
	count int64
	sums  [2]uint64
}

var outcomeSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// compare adds the outcomes of a chunk to those of their lanes.
func (d *tickScan) compare(c *chunk) {
	for i := range c.records {
		o, ok := engine.OutcomeOf(&c.records[i])
		if !ok {
			continue
		}
		to := &d.outcomes[c.records[i].Lane]
		to.count++
		for k, seed := range outcomeSeeds {
			to.sums[k] += maphash.Comparable(seed, o)
		}
	}
}

// differ reports whether the lanes had different outcomes.
func (d *tickScan) differ() bool {
	for i := range d.outcomes {
		if d.outcomes[i] != d.outcomes[0] {
			return true
		}
	}
	return false
}
