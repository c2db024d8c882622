package sim

import (
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
)

// sharedMemory is the memory of a checkpoint, which the runs that were forked after
// it share. It is released when the last of them drops it.
type sharedMemory struct {
	mem  *budget.Reservation
	runs atomic.Int32
}

func newSharedMemory(mem *budget.Reservation) *sharedMemory {
	m := &sharedMemory{mem: mem}
	m.runs.Store(1)
	return m
}

// retain counts one more run.
func (m *sharedMemory) retain() {
	if m != nil {
		m.runs.Add(1)
	}
}

// release counts one run less.
func (m *sharedMemory) release() {
	if m != nil && m.runs.Add(-1) == 0 {
		m.mem.Release()
	}
}

// checkpointsSeen is the number of checkpoints up to which a run with viewers loses none
// when memory is short, so that seeking in it stays fast enough. It loses these, too, if a
// reservation would be refused otherwise and they take more than the memory divided by StoreShare.
const checkpointsSeen = 8

// dropWarm drops the run's warm engines; it returns false if there are none.
func (r *Run) dropWarm() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.warm.drop()
	if r.paused != nil {
		r.paused.engine.mem.Release()
		r.paused, had = nil, true
	}
	return had
}

// thin drops every second checkpoint if there are more than `least` of them. The first
// is always kept: nothing can replace it. It returns false if it drops none.
func (r *Run) thin(least int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.checkpoints) <= max(least, 1) {
		return false
	}
	kept := r.checkpoints[:0]
	for k, m := range r.checkpoints {
		if k%2 == 0 {
			kept = append(kept, m)
		} else {
			m.mem.release()
		}
	}
	clear(r.checkpoints[len(kept):])
	r.checkpoints = kept
	return true
}

// checkpointBytes is the memory of the run's checkpoints but the first.
func (r *Run) checkpointBytes() (n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.checkpoints[1:] {
		n += m.bytes
	}
	return n
}

// spaceOut has the first pass make half as many checkpoints, from its beginning on as
// far as they are still there.
func (r *Run) spaceOut() {
	r.thin(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spacing *= 2
}

// release releases the memory of a run that the store drops. The memory of its first pass
// is released when the pass has ended.
func (r *Run) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warm.drop()
	if r.paused != nil {
		r.paused.engine.mem.Release()
	}
	for _, m := range r.checkpoints {
		m.mem.release()
	}
	if r.passOver() {
		r.mem.Release()
	}
}

// passed notes that the first pass is over: from now on the run holds its program and
// its first checkpoint, besides the others, which have reservations of their own.
func (r *Run) passed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.over)
	if r.isGone() {
		r.mem.Release()
		return
	}
	r.mem.Set(r.prog.Estimate().PlanBytes + r.checkpoints[0].bytes)
}

// passOver says whether the first pass is over, or never began.
func (r *Run) passOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// awaitPass waits until the first pass is over, but no longer than d.
func (r *Run) awaitPass(d time.Duration) {
	select {
	case <-r.over:
	case <-time.After(d):
	}
}
