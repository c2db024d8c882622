package sim

import (
	"context"
	"unsafe"
)

// looked is a run that somebody looks at.
type looked struct {
	run  *Run
	eyes int // how many look
}

// Look keeps a run until ctx is done: it is found and computed, however many
// others are opened meanwhile. One that has gone already stays gone.
func (s *Store) Look(ctx context.Context, r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.isGone() {
		return
	}
	l, ok := s.looked[r.Digest()]
	if !ok {
		l = &looked{run: r}
		s.looked[r.Digest()] = l
	}
	l.eyes++
	context.AfterFunc(ctx, func() { s.lookAway(l) })
}

// lookAway ends what Look began. A run that nobody looks at any more is the one
// used last.
func (s *Store) lookAway(l *looked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.eyes--; l.eyes > 0 {
		return
	}
	delete(s.looked, l.run.Digest())
	s.runs.Add(l.run.Digest(), l.run)
	s.trim()
}

// left is told of every run that is not among those used lately any more.
func (s *Store) left(r *Run) {
	if _, ok := s.looked[r.Digest()]; !ok {
		close(r.gone)
		s.chunks.forget(r)
	}
}

// trim lets runs go, the least recently used first, until those at which nobody
// looks hold no more bytes than are kept. The newest stays.
func (s *Store) trim() {
	var sum int64
	keys := s.runs.Keys() // the newest last
	for k := len(keys) - 1; k >= 0; k-- {
		if _, ok := s.looked[keys[k]]; ok {
			continue
		}
		r, _ := s.runs.Peek(keys[k])
		if sum += r.bytes(); sum > s.bytes && k < len(keys)-1 {
			s.runs.Remove(keys[k])
		}
	}
}

// isGone says whether the store has let the run go.
func (r *Run) isGone() bool {
	select {
	case <-r.gone:
		return true
	default:
		return false
	}
}

// bytes is about the memory that the run holds besides its chunks. What it shares
// with the run that it was forked from counts in both.
func (r *Run) bytes() int64 {
	n := int64(len(r.prog.Ops))*int64(unsafe.Sizeof(Planned{})) + int64(r.prog.Timers())*nameBytes
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.checkpoints {
		n += m.bytes
	}
	if r.paused != nil {
		n += r.paused.engine.bytes()
	}
	return n + r.warm.bytes()
}

// nameBytes is about what a timer's name and id take.
const nameBytes = 16

func (p *warmPool) bytes() (n int64) {
	for _, e := range p.engines {
		n += e.bytes()
	}
	if p.spent != nil {
		n += p.spent.bytes()
	}
	return n
}
