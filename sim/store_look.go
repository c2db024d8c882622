package sim

import (
	"context"
	"time"
)

// looked is a run that has viewers.
type looked struct {
	run     *Run
	viewers int
}

// Look retains a run until ctx is done: it is found and computed, however many others are
// opened. Look has no effect on a run that was already dropped.
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
	l.viewers++
	context.AfterFunc(ctx, func() { s.lookAway(l) })
}

// lookAway ends one Look. A run without viewers becomes the most recently used one.
func (s *Store) lookAway(l *looked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.viewers--; l.viewers > 0 {
		return
	}
	delete(s.looked, l.run.Digest())
	s.runs.Add(l.run.Digest(), l.run)
	s.trim()
	s.idle(l.run)
}

// Expect lets the first pass of a run without viewers continue for d, if that is longer than
// PassIdleMax, because a viewer is expected to return. It must be called while the run still
// has a viewer.
func (s *Store) Expect(r *Run, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.expected = time.Now().Add(d)
}

// idle notes that a run has no viewer. If its first pass is not over and it has no viewer
// after PassIdleMax either, or until one is expected, it is dropped.
func (s *Store) idle(r *Run) {
	if _, done := r.Computed(); done {
		return
	}
	since, digest := time.Now(), r.Digest()
	r.idleSince = since
	time.AfterFunc(max(PassIdleMax, r.expected.Sub(since)), func() { // without r: it may be dropped before
		s.mu.Lock()
		defer s.mu.Unlock()
		r, kept := s.runs.Peek(digest)
		if _, viewed := s.looked[digest]; viewed || !kept || r.idleSince != since {
			return
		}
		if _, done := r.Computed(); !done {
			s.runs.Remove(digest)
		}
	})
}

// left ends and releases a run that was removed from the least recently used list, unless it
// has viewers.
func (s *Store) left(r *Run) {
	if _, ok := s.looked[r.Digest()]; !ok {
		r.end(ErrGone)
		s.chunks.forget(r)
		r.release()
	}
}

// trim drops the least recently used runs until those without viewers take at most s.bytes. It
// keeps the most recently used one.
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

// isGone reports whether the store has dropped the run.
func (r *Run) isGone() bool {
	return context.Cause(r.ctx) == ErrGone
}

// bytes returns the approximate memory of the run without its chunks. What it shares with the
// run from which it was forked counts in both.
func (r *Run) bytes() int64 {
	n := r.mem.Bytes() + r.checkpointBytes() // mem: of the program, and of the first checkpoint or the first pass
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paused != nil {
		n += r.paused.engine.bytes()
	}
	return n + r.warm.bytes()
}

func (p *warmPool) bytes() (n int64) {
	for _, e := range p.engines {
		n += e.bytes()
	}
	if p.spent != nil {
		n += p.spent.bytes()
	}
	return n
}
