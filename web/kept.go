package web

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
)

// errComputing says that what a request waited for is still being computed.
var errComputing = errors.New("being computed")

// errTakesLong says that something took more than makingWait to compute.
var errTakesLong = errors.New("takes too long")

// makers are what computes results of whole runs, few at a time, detached from the
// requests that ask for them.
type makers struct {
	store   *sim.Store // whose memory the results take
	ctx     context.Context
	stop    context.CancelFunc
	turns   chan struct{} // an element for each that is being made
	places  chan struct{} // an element for each that is being made or waits for a turn
	running sync.WaitGroup
}

func newMakers(store *sim.Store) *makers {
	m := &makers{store: store, turns: make(chan struct{}, ComparingMax), places: make(chan struct{}, MakingsMax)}
	m.ctx, m.stop = context.WithCancel(context.Background())
	return m
}

// shutdown ends what is being made and waits for it, but not longer than ctx.
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

// turn waits until few enough are being made; done ends the turn.
func (m *makers) turn(ctx context.Context) (done func(), err error) {
	select {
	case m.turns <- struct{}{}:
		return func() { <-m.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// kept holds the results that were made last, and those that are being made. The memory of the results is reserved; they
// are dropped, the least recently used first, when it is needed for other work.
type kept[T any] struct {
	makers *makers
	bytes  func(T) int64 // that a result takes

	mu     sync.Mutex
	made   *simplelru.LRU[string, keptResult[T]]
	making map[string]*making[T]
}

// keptResult is a result and its memory.
type keptResult[T any] struct {
	result T
	mem    *budget.Reservation
}

// making is a result that is being made. Its fields below done are guarded by kept.mu.
type making[T any] struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result T
	err    error

	waiting int       // requests
	late    time.Time // when the last request gave up because its time was over
}

func newKept[T any](m *makers, size int, bytes func(T) int64) *kept[T] {
	k := &kept[T]{makers: m, bytes: bytes, making: map[string]*making[T]{}}
	k.made, _ = simplelru.NewLRU(size, func(_ string, r keptResult[T]) { r.mem.Release() }) // fails for a size < 1 only
	m.store.AddReclaimer(k.reclaim)
	return k
}

// reclaim is a budget.Reclaimer: it drops results until need bytes are free.
func (k *kept[T]) reclaim(need int64) bool {
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

// of returns the result of a key. If it is neither there nor being made, it is made with
// from, which goes on without the request: for makingIdle after the last request that
// waited for it gave up at the end of its time, and for makingWait in all. The error is
// errComputing if the time of ctx is over before.
func (k *kept[T]) of(ctx context.Context, key string, from func(context.Context) (T, error)) (result T, err error) {
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
				err = errComputing
			}
		}
	})
	k.leave(key, m, errors.Is(err, errComputing))
	if err == nil {
		err = ended
	}
	return result, err
}

// join returns the result, or the making of it, for which the caller then waits. Making it is charged to client.
func (k *kept[T]) join(client, key string, from func(context.Context) (T, error)) (m *making[T], result T, err error) {
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
	ctx, cancel := context.WithTimeoutCause(fairqueue.WithClient(k.makers.ctx, client), makingWait, errTakesLong)
	m = &making[T]{cancel: cancel, done: make(chan struct{}), waiting: 1}
	k.making[key] = m
	k.makers.running.Go(func() { k.make(ctx, key, m, from) })
	return m, result, nil
}

// make makes the result when its turn has come.
func (k *kept[T]) make(ctx context.Context, key string, m *making[T], from func(context.Context) (T, error)) {
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
		mem, _ = k.makers.store.Reserve(k.bytes(result)) // without the lock, which reclaim takes
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	m.result, m.err = result, err
	if mem != nil { // else there is no room to keep it
		k.made.Remove(key) // or the memory of one before would not be released
		k.made.Add(key, keptResult[T]{result, mem})
	}
	k.drop(key, m)
	close(m.done)
}

// leave ends a request's wait. Nothing is made for clients that have disconnected.
func (k *kept[T]) leave(key string, m *making[T], late bool) {
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

// idle ends what no request has waited for lately.
func (k *kept[T]) idle(key string, m *making[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if m.waiting == 0 && k.making[key] == m && time.Since(m.late) >= makingIdle {
		k.drop(key, m)
		m.cancel()
	}
}

// drop forgets a making that others can't join any more.
func (k *kept[T]) drop(key string, m *making[T]) {
	if k.making[key] == m {
		delete(k.making, key)
	}
}
