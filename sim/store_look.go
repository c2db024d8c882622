package sim

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
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
	r.resumePass()
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

// Expect keeps a run without viewers for d, if that is longer than PassIdleMax, although its first
// pass is not over, because a viewer is expected to return. The pass is paused after PassIdleMax
// and goes on when the run is looked up. Expect must be called while the run still has a viewer.
func (s *Store) Expect(r *Run, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.expected = time.Now().Add(d)
}

// idle notes that a run has no viewer. If its first pass is not over and it has no viewer
// after PassIdleMax either, the pass is paused; it is dropped then, or when no viewer is expected
// any more.
func (s *Store) idle(r *Run) {
	if _, done := r.Computed(); done {
		return
	}
	since, digest := time.Now(), r.Digest()
	r.idleSince = since
	s.pauseLater(r)
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

// pauseLater pauses the first pass of a run after PassIdleMax, if it has no viewer then and was not
// woken meanwhile.
func (s *Store) pauseLater(r *Run) {
	since, digest := time.Now(), r.Digest()
	r.wokenAt = since
	time.AfterFunc(PassIdleMax, func() { // without r: it may be dropped before
		s.mu.Lock()
		defer s.mu.Unlock()
		r, kept := s.runs.Peek(digest)
		if _, viewed := s.looked[digest]; !viewed && kept && r.wokenAt == since {
			r.pausePass()
		}
	})
}

// wake lets the first pass of a run without viewers go on for PassIdleMax if it is paused.
func (s *Store) wake(r *Run) *Run {
	if r.resumePass() {
		s.pauseLater(r)
	}
	return r
}

// pausePass pauses the first pass, also in the middle of a tick, which may take many seconds.
func (r *Run) pausePass() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done && r.resumed == nil {
		r.resumed = make(chan struct{})
	}
}

// resumePass lets a paused first pass go on. It reports whether the pass was paused.
func (r *Run) resumePass() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.resumed == nil {
		return false
	}
	close(r.resumed)
	r.resumed = nil
	return true
}

// pacePass blocks while the first pass is paused, and shares the processor as the turn in ctx
// requires. It returns an error if the pass must stop.
func (r *Run) pacePass(ctx context.Context) error {
	if err := r.awaitResume(ctx); err != nil {
		return err
	}
	return fairqueue.Pace(ctx)
}

// awaitResume gives the turn of a paused first pass away until the pass is resumed or ctx is done.
func (r *Run) awaitResume(ctx context.Context) error {
	r.mu.Lock()
	resumed := r.resumed
	r.mu.Unlock()
	if resumed == nil {
		return nil
	}
	return fairqueue.Outside(ctx, func() {
		select {
		case <-resumed:
		case <-ctx.Done():
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
		n += r.paused.engine.Bytes()
	}
	return n + r.warm.bytes()
}

func (p *warmPool) bytes() (n int64) {
	for _, e := range p.engines {
		n += e.Bytes()
	}
	if p.spent != nil {
		n += p.spent.Bytes()
	}
	return n
}
