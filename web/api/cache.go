package api

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
)

// ErrComputing is returned if a request times out while its result is still being computed. The computation
// continues, so the client should repeat the request.
var ErrComputing error = texts.Errorf(texts.Unavailable, "", "this is being computed; ask again within %s", sim.PassIdleMax.String())

// ErrTakesLong is returned if computing a result has been cancelled because it took longer than MakingWait.
var ErrTakesLong error = texts.Errorf(texts.Unavailable, "", "this takes more than %s to compute", MakingWait.String())

// computePool limits how many answers that require a complete run, such as comparisons, are computed concurrently. A
// computation may continue after the request that started it has ended.
type computePool struct {
	store   *sim.Store      // reserves the memory for the results
	ctx     context.Context // context of all computations
	stop    context.CancelFunc
	turns   chan struct{} // semaphore with an element for each running computation
	places  chan struct{} // semaphore with an element for each computation that is running or waiting to run
	running sync.WaitGroup
}

// newComputePool returns a pool for computations about the runs in store. The memory for the results is reserved in
// store.
func newComputePool(store *sim.Store) *computePool {
	m := &computePool{store: store, turns: make(chan struct{}, ComparingMax), places: make(chan struct{}, MakingsMax)}
	m.ctx, m.stop = context.WithCancel(context.Background())
	return m
}

// shutdown cancels all computations and waits until they have ended or ctx is done.
func (m *computePool) shutdown(ctx context.Context) {
	m.stop()
	ended := make(chan struct{})
	go func() {
		m.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// turn waits until fewer than ComparingMax computations are running. The caller may then run a computation, and
// must call done when it has ended. If ctx is done first, turn returns ctx.Err().
func (m *computePool) turn(ctx context.Context) (done func(), err error) {
	select {
	case m.turns <- struct{}{}:
		return func() { <-m.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// cache holds the results of recent computations, and the computations in progress. It reserves memory for the
// results, and drops the least recently used ones if other work needs the memory.
type cache[T any] struct {
	pool  *computePool
	bytes func(T) int64 // returns the number of bytes of memory that a result uses

	mu        sync.Mutex
	results   *simplelru.LRU[string, cachedResult[T]] // cached results, by key
	computing map[string]*computation[T]              // computations in progress, by key
}

// cachedResult is a result and the memory reserved for it.
type cachedResult[T any] struct {
	result T
	mem    *budget.Reservation
}

// computation is a computation in progress. cache.mu guards waiting and late.
type computation[T any] struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result T
	err    error

	waiting int       // number of requests that are waiting for the result
	late    time.Time // time at which a request waiting for the result last timed out; zero if none has
}

// newCache returns a cache of at most size results. bytes returns the number of bytes of memory that a result
// uses.
func newCache[T any](m *computePool, size int, bytes func(T) int64) *cache[T] {
	k := &cache[T]{pool: m, bytes: bytes, computing: map[string]*computation[T]{}}
	k.results, _ = simplelru.NewLRU(size, func(_ string, r cachedResult[T]) { r.mem.Release() }) // fails for a size < 1 only
	m.store.AddReclaimer(k.reclaim)
	return k
}

// reclaim drops the least recently used results until it has released need bytes, and reports whether it dropped any.
// It is a budget.Reclaimer: the store calls it if other work needs memory that is not free.
func (k *cache[T]) reclaim(need int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	dropped := false
	for need > 0 {
		_, r, ok := k.results.GetOldest()
		if !ok {
			break
		}
		need -= r.mem.Bytes()
		k.results.RemoveOldest()
		dropped = true
	}
	return dropped
}

// get returns the result for key. If the result is neither cached nor being computed, get starts a computation that
// calls compute. If ctx times out before the result is known, get returns ErrComputing, and the computation continues.
// It may take up to MakingWait in all, but is cancelled if no request waits for it makingIdle after the last timeout.
// If ctx is cancelled, get returns ctx.Err(), and the computation is cancelled at once if no request waits for it and
// none has timed out.
func (k *cache[T]) get(ctx context.Context, key string, compute func(context.Context) (T, error)) (result T, err error) {
	m, result, err := k.join(fairqueue.Client(ctx), key, compute)
	if m == nil {
		return result, err
	}
	ended := fairqueue.Outside(ctx, func() {
		select {
		case <-m.done:
			result, err = m.result, m.err
		case <-ctx.Done():
			if err = ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
				err = ErrComputing
			}
		}
	})
	k.leave(key, m, errors.Is(err, ErrComputing))
	err = cmp.Or(err, ended)
	return result, err
}

// join returns the result for key and a nil m if the result is cached. Otherwise it returns m, the computation of the
// result; the caller must wait for m and then call leave. If no computation for key is in progress, join starts one
// that calls compute, and charges its processor time to client. If too many computations are waiting, join returns a
// nil m and fairqueue.ErrBusy.
func (k *cache[T]) join(client, key string, compute func(context.Context) (T, error)) (m *computation[T], result T, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.results.Get(key); ok {
		return nil, r.result, nil
	}
	if m, ok := k.computing[key]; ok {
		m.waiting++
		return m, result, nil
	}
	select {
	case k.pool.places <- struct{}{}:
	default:
		return nil, result, fairqueue.ErrBusy
	}
	ctx, cancel := context.WithTimeoutCause(fairqueue.WithClient(k.pool.ctx, client), MakingWait, ErrTakesLong)
	m = &computation[T]{cancel: cancel, done: make(chan struct{}), waiting: 1}
	k.computing[key] = m
	k.pool.running.Go(func() { k.run(ctx, key, m, compute) })
	return m, result, nil
}

// run runs the computation m for key: it waits for a turn of the pool, calls compute, stores the result or the
// error in m, and caches the result if there is memory for it.
func (k *cache[T]) run(ctx context.Context, key string, m *computation[T], compute func(context.Context) (T, error)) {
	defer m.cancel()
	defer func() { <-k.pool.places }()
	done, err := k.pool.turn(ctx)
	var result T
	if err == nil {
		result, err = compute(ctx)
		done()
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	var mem *budget.Reservation
	if err == nil {
		mem, _ = k.pool.store.Reserve(k.bytes(result)) // without holding k.mu, which reclaim locks
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	m.result, m.err = result, err
	if mem != nil { // else there is no room to keep it
		k.results.Remove(key) // otherwise the memory of an earlier result would not be released
		k.results.Add(key, cachedResult[T]{result, mem})
	}
	k.drop(key, m)
	close(m.done)
}

// leave records that a request no longer waits for m, the computation for key. late is true if the request timed out,
// in which case its client will ask again. If no other request is waiting, leave cancels m: immediately if no request
// has ever timed out, and otherwise makingIdle after the last timeout.
func (k *cache[T]) leave(key string, m *computation[T], late bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m.waiting--
	if late {
		m.late = time.Now()
	}
	switch rest := makingIdle - time.Since(m.late); {
	case m.waiting > 0 || k.computing[key] != m:
	case m.late.IsZero() || rest <= 0:
		k.drop(key, m)
		m.cancel()
	default:
		time.AfterFunc(rest, func() { k.idle(key, m) })
	}
}

// idle cancels m, the computation for key, if no request is waiting for it and makingIdle has passed since the last
// timeout of a request that was waiting for it. leave starts a timer that calls idle.
func (k *cache[T]) idle(key string, m *computation[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if m.waiting == 0 && k.computing[key] == m && time.Since(m.late) >= makingIdle {
		k.drop(key, m)
		m.cancel()
	}
}

// drop removes m, the computation for key, so that no other request joins it. k.mu must be held.
func (k *cache[T]) drop(key string, m *computation[T]) {
	if k.computing[key] == m {
		delete(k.computing, key)
	}
}
