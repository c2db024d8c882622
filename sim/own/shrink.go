package own

import "slices"

// shrinkRuns is the maximum number of runs that shrinking a case takes, and shrinkCrashRuns that of a case in which the
// wheel crashes, because a program is started again each time.
const (
	shrinkRuns      = 4000
	shrinkCrashRuns = 100
)

// shrinker makes a case smaller that has a fault of one kind.
type shrinker struct {
	run  func(*Case) *Fault
	best Case
	f    *Fault
	runs int // runs left
}

// shrink returns a small case with a fault of the same kind as f, the fault of c, and its fault. run runs a case on a
// new wheel.
func shrink(c Case, f *Fault, run func(*Case) *Fault) (Case, *Fault) {
	s := &shrinker{run: run, best: c, f: f, runs: shrinkRuns}
	switch f.Kind {
	case Slow:
		s.runs = 0
	case Crashed:
		s.runs = shrinkCrashRuns
	}
	s.cut()
	for again := true; again && s.runs > 0; {
		again = s.remove()
		again = s.hurry() || again
		again = s.soften() || again
	}
	s.rename()
	return s.best, s.f
}

// try makes c the best case if it has the fault.
func (s *shrinker) try(c Case) bool {
	if s.runs == 0 {
		return false
	}
	s.runs--
	f := s.run(&c)
	if f == nil || f.Kind != s.f.Kind {
		return false
	}
	s.best, s.f = c, f
	s.cut()
	return true
}

// cut leaves out what follows the fault.
func (s *shrinker) cut() {
	if s.f.Kind != Costly {
		s.best.Ops = s.best.Ops[:min(s.f.Op+1, len(s.best.Ops))]
	}
}

// remove leaves out parts of the operations, from halves to single ones.
func (s *shrinker) remove() (changed bool) {
	for size := max(1, len(s.best.Ops)/2); size >= 1; size /= 2 {
		for i := 0; i+size <= len(s.best.Ops); {
			c := s.best
			c.Ops = slices.Delete(slices.Clone(c.Ops), i, i+size)
			if s.try(c) {
				changed = true
			} else {
				i += size
			}
		}
	}
	return changed
}

// hurry takes ticks out of the case: everything after a point comes earlier.
func (s *shrinker) hurry() (changed bool) {
	for size := spanMax; size >= 1; size /= 2 {
		for i := -1; i < len(s.best.Ops); i++ {
			from := s.best.Start
			if i >= 0 {
				from = s.best.Ops[i].when()
			}
			if from < int64(size) {
				continue
			}
			changed = s.try(s.best.earlier(from, int64(size))) || changed
		}
	}
	return changed
}

// soften makes single due ticks and advances earlier, and single advances as long as a single tick.
func (s *shrinker) soften() (changed bool) {
	for i := 0; i < len(s.best.Ops); i++ {
		for size := s.best.Ops[i].when(); size >= 1 && i < len(s.best.Ops); size /= 2 {
			c := s.best
			c.Ops = slices.Clone(c.Ops)
			c.Ops[i].move(size)
			if c.Ops[i].when() >= c.Start {
				changed = s.try(c) || changed
			}
		}
	}
	return changed
}

// rename numbers the keys from 1, in order of appearance.
func (s *shrinker) rename() {
	c, names := s.best, map[int64]int64{}
	c.Ops = slices.Clone(c.Ops)
	for i := range c.Ops {
		if o := &c.Ops[i]; o.Do != "advance" {
			if _, ok := names[o.Key]; !ok {
				names[o.Key] = int64(len(names)) + 1
			}
			o.Key = names[o.Key]
		}
	}
	if s.f.Kind != Slow {
		s.runs = max(s.runs, 1)
		s.try(c)
	}
}

// when returns the tick that the operation names, or 0.
func (o *Op) when() int64 { return o.Due + o.To }

// move makes the tick that the operation names n ticks earlier.
func (o *Op) move(n int64) {
	if o.Do == "advance" {
		o.To -= n
	} else if o.Do == "schedule" {
		o.Due -= n
	}
}

// earlier returns c with every tick that is not before from made n ticks earlier.
func (c Case) earlier(from, n int64) Case {
	c.Ops = slices.Clone(c.Ops)
	if c.Start >= from {
		c.Start -= n
	}
	for i := range c.Ops {
		if o := &c.Ops[i]; o.Do != "cancel" && o.when() >= from {
			o.move(n)
		}
	}
	return c
}
