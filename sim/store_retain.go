package sim

import (
	"context"
	"time"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Retain adds a viewer to run r until ctx is done. A run with viewers is neither dropped nor paused.
// Retain has no effect on a run that has already been dropped.
func (s *Store) Retain(ctx context.Context, r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.isGone() {
		return
	}
	s.retained[r]++
	r.resumePass()
	context.AfterFunc(ctx, func() { s.release(r) })
}

// release removes a viewer from r. If none is left, r becomes the most recently used run in s.runs or, if a new run
// takes its place, is dropped.
func (s *Store) release(r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retained[r]--; s.retained[r] > 0 {
		return
	}
	delete(s.retained, r)
	if r.mayRetry() {
		s.left(r)
		return
	}
	s.runs.Add(r.Digest(), r)
	s.trim()
	s.idle(r)
}

// Expect announces that a viewer of r will return within d. Until then, the store does not drop r because it has no
// viewers and its first pass has not ended; it drops r only to free memory. The first pass is still paused after
// PassIdleMax without viewers, and resumed when r is looked up. Expect must be called while r has a viewer.
func (s *Store) Expect(r *Run, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.expected = time.Now().Add(d)
}

// idle starts the timeouts of run r, which has just been added or has lost its last viewer. While r has no viewer and
// its first pass is not complete, the pass is paused after PassIdleMax, and r is dropped then or at the time set by
// Expect, whichever is later. s.mu must be held.
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
		if !kept || s.retained[r] > 0 || r.idleSince != since {
			return
		}
		if _, done := r.Computed(); !done {
			s.runs.Remove(digest)
		}
	})
}

// pauseLater pauses the first pass of r after PassIdleMax, unless r has a viewer then or pauseLater has been called for
// r again in the meantime. s.mu must be held.
func (s *Store) pauseLater(r *Run) {
	since, digest := time.Now(), r.Digest()
	r.wokenAt = since
	time.AfterFunc(PassIdleMax, func() { // without r: it may be dropped before
		s.mu.Lock()
		defer s.mu.Unlock()
		r, kept := s.runs.Peek(digest)
		if kept && s.retained[r] == 0 && r.wokenAt == since {
			r.pausePass()
		}
	})
}

// wake resumes the first pass of r if it is paused, and then lets it run for at least PassIdleMax. It returns
// r. s.mu must be held.
func (s *Store) wake(r *Run) *Run {
	if r.resumePass() {
		s.pauseLater(r)
	}
	return r
}

// pausePass pauses the first pass, even in the middle of a tick, because a single tick can take many seconds.
func (r *Run) pausePass() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done && r.resumed == nil {
		r.resumed = make(chan struct{})
	}
}

// resumePass resumes the first pass. It reports whether the pass was paused.
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

// pacePass blocks while the first pass is paused, and then calls fairqueue.Pace, which may let other computations run
// first. It returns an error if the pass must stop. The engine of the first pass calls pacePass regularly.
func (r *Run) pacePass(ctx context.Context) error {
	if err := r.awaitResume(ctx); err != nil {
		return err
	}
	return fairqueue.Pace(ctx)
}

// awaitResume waits while the first pass is paused and ctx is not done. Meanwhile, it gives up the turn that
// ctx carries (the permission to use a processor).
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

// left stops the first pass of run r and releases the memory of r, unless r has viewers. It is called after r has been
// removed from s.runs.
func (s *Store) left(r *Run) {
	if s.retained[r] == 0 {
		r.end(ErrGone)
		r.release()
		s.chunks.forget(r) // after release, since Run.cache may have been adding a chunk
	}
}

// trim drops the least recently used runs without viewers until the remaining ones use at most s.bytes bytes. It never
// drops the most recently used run. s.mu must be held.
func (s *Store) trim() {
	var sum int64
	keys := s.runs.Keys() // the newest last
	for k := len(keys) - 1; k >= 0; k-- {
		r, _ := s.runs.Peek(keys[k])
		if s.retained[r] > 0 {
			continue
		}
		if sum += r.bytes(); sum > s.bytes && k < len(keys)-1 {
			s.runs.Remove(keys[k])
		}
	}
}

// isGone reports whether the store has dropped the run.
func (r *Run) isGone() bool {
	return context.Cause(r.ctx) == ErrGone
}

// bytes returns the approximate memory of the run in bytes, excluding its cached chunks. Memory that forked
// runs share is counted for each of them.
func (r *Run) bytes() int64 {
	n := r.mem.Bytes() + r.checkpointBytes() // mem covers the program, and the first checkpoint or the first pass
	r.mu.Lock()
	defer r.mu.Unlock()
	return n + r.warm.Bytes()
}
