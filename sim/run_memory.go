package sim

import (
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/internal/budget"
)

// sharedMemory is the memory reserved for a checkpoint that a run may share with runs that Store.Fork made from it.
// The memory is released when the last of these runs drops the checkpoint.
type sharedMemory struct {
	mem  *budget.Reservation
	runs atomic.Int32
}

func newSharedMemory(mem *budget.Reservation) *sharedMemory {
	m := &sharedMemory{mem: mem}
	m.runs.Store(1)
	return m
}

// retain adds one to the number of runs that share m. m may be nil.
func (m *sharedMemory) retain() {
	if m != nil {
		m.runs.Add(1)
	}
}

// release subtracts one from the number of runs that share m, and releases the memory if none is left. m may be nil.
func (m *sharedMemory) release() {
	if m != nil && m.runs.Add(-1) == 0 {
		m.mem.Release()
	}
}

// checkpointsSeen is the number of checkpoints above which a run with viewers loses every second one when memory
// is short. Seeking is slow with few checkpoints, so a viewed run that has no more loses some only in its first pass,
// or if a reservation would otherwise fail and the run's checkpoints take more than 1/StoreShare of the memory.
const checkpointsSeen = 8

// dropWarm releases the engines that the run keeps near recently viewed ticks. It reports whether it released any.
func (r *Run) dropWarm() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.warm.Drop()
}

// thin frees memory by dropping every second checkpoint if there are more than n. It never drops the first
// one, which cannot be recomputed. It reports whether it dropped any.
func (r *Run) thin(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.checkpoints) <= max(n, 1) || r.isGone() { // release has released the memory of a run that is gone
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

// checkpointBytes returns the memory of all checkpoints except the first, in bytes.
func (r *Run) checkpointBytes() (n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.checkpoints[1:] {
		n += m.bytes
	}
	return n
}

// spaceOut drops every second checkpoint, doubles the replay time between later ones and reports if any was dropped.
func (r *Run) spaceOut() bool {
	dropped := r.thin(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spacing *= 2
	return dropped
}

// release releases the memory of a run that the store has dropped. If the first pass has not ended, the
// memory that the pass uses is released when the pass ends.
func (r *Run) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warm.Drop()
	for _, m := range r.checkpoints {
		m.mem.release()
	}
	if r.passOver() {
		r.mem.Release()
	}
}

// passed is called at the end of the first pass. It reduces the run's reservation to the memory of the program and the
// first checkpoint, or to nothing if the run has been dropped. The other checkpoints have their own reservations.
func (r *Run) passed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer close(r.over) // last, since a goroutine that waits for it may read the reservation
	if r.isGone() {
		r.mem.Release()
		return
	}
	r.mem.Set(r.prog.Estimate().PlanBytes + r.checkpoints[0].bytes)
}

// passOver reports whether the first pass has ended.
func (r *Run) passOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// awaitPass waits until the first pass has ended or d has elapsed.
func (r *Run) awaitPass(d time.Duration) {
	select {
	case <-r.over:
	case <-time.After(d):
	}
}
