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
	"github.com/wheelscope/wheelscope/sim"
)

// ErrComputing is returned if a request times out while its result is still being computed.
var ErrComputing = errors.New("being computed")

// ErrTakesLong is returned if a result takes more than MakingWait to compute.
var ErrTakesLong = errors.New("takes too long")

// makers computes results that need all of a run, a few at a time. A computation is independent of the request
// that started it.
type makers struct {
	store   *sim.Store // store in whose memory the results are reserved
	ctx     context.Context
	stop    context.CancelFunc
	turns   chan struct{} // semaphore with an element for each running computation
	places  chan struct{} // semaphore with an element for each computation that runs or waits to run
	running sync.WaitGroup
}

func newMakers(store *sim.Store) *makers {
	m := &makers{store: store, turns: make(chan struct{}, ComparingMax), places: make(chan struct{}, MakingsMax)}
	m.ctx, m.stop = context.WithCancel(context.Background())
	return m
}

// shutdown cancels all computations and waits until they have ended or ctx is done.
func (m *makers) shutdown(ctx context.Context) {
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

// turn waits until fewer than ComparingMax computations run. The caller may then run one, and must call done at its
// end.
func (m *makers) turn(ctx context.Context) (done func(), err error) {
	select {
	case m.turns <- struct{}{}:
		return func() { <-m.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// cache holds recently computed results and those being computed. It reserves the memory of cached results,
// and drops the least recently used ones if other work needs the memory.
type cache[T any] struct {
	makers *makers
	bytes  func(T) int64 // returns the memory of a result, in bytes

	mu     sync.Mutex
	made   *simplelru.LRU[string, cachedResult[T]]
	making map[string]*making[T]
}

// cachedResult is a result and the reservation of its memory.
type cachedResult[T any] struct {
	result T
	mem    *budget.Reservation
}

// making is a computation in progress. The fields below err are guarded by cache.mu.
type making[T any] struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result T
	err    error

	waiting int       // number of requests that wait for the result
	late    time.Time // time at which the last request timed out
}

func newCache[T any](m *makers, size int, bytes func(T) int64) *cache[T] {
	k := &cache[T]{makers: m, bytes: bytes, making: map[string]*making[T]{}}
	k.made, _ = simplelru.NewLRU(size, func(_ string, r cachedResult[T]) { r.mem.Release() }) // fails for a size < 1 only
	m.store.AddReclaimer(k.reclaim)
	return k
}

// reclaim is a budget.Reclaimer. It drops results until need bytes are free, and reports whether it dropped
// any.
func (k *cache[T]) reclaim(need int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	dropped := false
	for need > 0 {
		_, r, ok := k.made.GetOldest()
		if !ok {
			break
		}
		need -= r.mem.Bytes()
		k.made.RemoveOldest()
		dropped = true
	}
	return dropped
}

// of returns the result for key. If the result is neither cached nor being computed, of starts to compute it
// with from. The computation is independent of the request: it takes at most MakingWait, and ends makingIdle
// after the last request for it has timed out. of returns ErrComputing if ctx times out first.
func (k *cache[T]) of(ctx context.Context, key string, from func(context.Context) (T, error)) (result T, err error) {
	m, result, err := k.join(fairqueue.Client(ctx), key, from)
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

// join returns the cached result for key, or the computation m that the caller must wait for; m is nil if the
// result is cached. If there is neither, join starts a computation that is charged to client. It may return
// fairqueue.ErrBusy.
func (k *cache[T]) join(client, key string, from func(context.Context) (T, error)) (m *making[T], result T, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.made.Get(key); ok {
		return nil, r.result, nil
	}
	if m, ok := k.making[key]; ok {
		m.waiting++
		return m, result, nil
	}
	select {
	case k.makers.places <- struct{}{}:
	default:
		return nil, result, fairqueue.ErrBusy
	}
	ctx, cancel := context.WithTimeoutCause(fairqueue.WithClient(k.makers.ctx, client), MakingWait, ErrTakesLong)
	m = &making[T]{cancel: cancel, done: make(chan struct{}), waiting: 1}
	k.making[key] = m
	k.makers.running.Go(func() { k.make(ctx, key, m, from) })
	return m, result, nil
}

// make waits until the computation for key may run, computes the result of m with from, and caches it.
func (k *cache[T]) make(ctx context.Context, key string, m *making[T], from func(context.Context) (T, error)) {
	defer m.cancel()
	defer func() { <-k.makers.places }()
	done, err := k.makers.turn(ctx)
	var result T
	if err == nil {
		result, err = from(ctx)
		done()
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	var mem *budget.Reservation
	if err == nil {
		mem, _ = k.makers.store.Reserve(k.bytes(result)) // without holding k.mu, which reclaim locks
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	m.result, m.err = result, err
	if mem != nil { // else there is no room to keep it
		k.made.Remove(key) // otherwise the memory of an earlier result would not be released
		k.made.Add(key, cachedResult[T]{result, mem})
	}
	k.drop(key, m)
	close(m.done)
}

// leave records that a request no longer waits for m. late is true if the request timed out. If no other
// request is waiting, leave cancels m: at once if no request has timed out, and otherwise makingIdle after the
// last one that has.
func (k *cache[T]) leave(key string, m *making[T], late bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m.waiting--
	if late {
		m.late = time.Now()
	}
	switch rest := makingIdle - time.Since(m.late); {
	case m.waiting > 0 || k.making[key] != m:
	case m.late.IsZero() || rest <= 0:
		k.drop(key, m)
		m.cancel()
	default:
		time.AfterFunc(rest, func() { k.idle(key, m) })
	}
}

// idle cancels computation m if no request has waited for it in the last makingIdle.
func (k *cache[T]) idle(key string, m *making[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if m.waiting == 0 && k.making[key] == m && time.Since(m.late) >= makingIdle {
		k.drop(key, m)
		m.cancel()
	}
}

// drop removes m, the computation for key, so that no further request joins it.
func (k *cache[T]) drop(key string, m *making[T]) {
	if k.making[key] == m {
		delete(k.making, key)
	}
}
