package timer

import (
	"hash/maphash"
	"iter"
	"sync"
	"time"
	"weak"

	"github.com/wheelscope/wheelscope/wheel"
)

// Keyed is a set of timers identified by keys. At most one timer is pending for each key. It costs
// a map entry and a function for each key, and a look-up for each call. A program that can store a
// [Timer] in its own value, such as a connection, needs no keys.
//
// A key must be equal to itself: NaN is rejected with [ErrKey]. If K is an interface type, a key
// that can't be compared panics, as in a map. The methods of a Keyed may be called by several
// goroutines at once, and by callbacks.
type Keyed[K comparable] struct {
	w     *Wheel
	parts []part[K] // timers by key, one part for each shard of the wheel
}

// part holds the timers of a Keyed that are in one shard of the wheel. It is guarded by shard.mu.
type part[K comparable] struct {
	shard  *shard
	timers map[K]wheel.Timer // handles by key; the handle of a fired timer may remain until its call begins
	most   int               // greatest number of entries in timers since that map was created
}

// NewKeyed returns an empty set of timers on a wheel.
func NewKeyed[K comparable](w *Wheel) *Keyed[K] {
	k := &Keyed[K]{w: w, parts: make([]part[K], len(w.all()))}
	for n, s := range w.all() {
		k.parts[n] = part[K]{shard: s, timers: map[K]wheel.Timer{}}
	}
	if w.made() {
		w.keyed.add(weakMap(k))
	}
	return k
}

// check returns ErrZero if k or its wheel is a zero value, ErrKey if key differs from itself, else nil.
func (k *Keyed[K]) check(key K) error {
	switch {
	case k == nil || len(k.parts) == 0:
		return ErrZero
	case key != key:
		return ErrKey
	}
	return nil
}

// part returns the part that holds the timer of key.
func (k *Keyed[K]) part(key K) *part[K] {
	return &k.parts[maphash.Comparable(k.w.seed, key)%uint64(len(k.parts))]
}

// AfterFunc calls f with key after d. It replaces the pending timer of the key, if there is one.
// It returns [ErrKey], or an error of [Wheel.AfterFunc]; after an error other than ErrKey and
// ErrNil the key has no pending timer.
func (k *Keyed[K]) AfterFunc(key K, d time.Duration, f func(key K)) error {
	if f == nil {
		return ErrNil
	}
	if err := k.check(key); err != nil {
		return err
	}
	p := k.part(key)
	s := p.shard
	s.lock()
	defer s.mu.Unlock()
	kept := p.take(key) != nil
	return p.schedule(key, d, func() { p.forget(key); f(key) }, kept)
}

// Reset changes the pending timer of a key to fire after d from now. It returns false, and does
// nothing, if none is pending. The errors are those of AfterFunc. After an error none is pending.
func (k *Keyed[K]) Reset(key K, d time.Duration) (bool, error) {
	if err := k.check(key); err != nil {
		return false, err
	}
	p := k.part(key)
	s := p.shard
	s.lock()
	defer s.mu.Unlock()
	if s.closed {
		return false, ErrClosed
	}
	f := p.take(key)
	if f == nil {
		return false, nil
	}
	return true, p.schedule(key, d, f, true)
}

// Stop stops the timer of key. It returns true if one was pending; its function will not run.
func (k *Keyed[K]) Stop(key K) bool {
	if k.check(key) != nil {
		return false
	}
	p := k.part(key)
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	t, ok := p.timers[key]
	if !ok {
		return false
	}
	delete(p.timers, key)
	return p.shard.cancel(t)
}

// All returns the keys with a pending timer and the time at which each fires, in no order.
// Timers that are scheduled or stopped during the iteration may or may not be included.
func (k *Keyed[K]) All() iter.Seq2[K, time.Time] {
	return func(yield func(K, time.Time) bool) {
		if k == nil {
			return
		}
		for n := range k.parts {
			for _, p := range k.parts[n].pending() {
				if !yield(p.key, p.due) {
					return
				}
			}
		}
	}
}

// pending is a pending timer: its key and the time at which it fires.
type pending[K comparable] struct {
	key K
	due time.Time
}

func (p *part[K]) pending() []pending[K] {
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	all := make([]pending[K], 0, len(p.timers))
	for key, t := range p.timers {
		if p.shard.wheel.Armed(t) {
			due, _ := p.shard.deadline(t)
			all = append(all, pending[K]{key, due})
		}
	}
	return all
}

// take removes the timer of key from the wheel and returns its function, or nil if none is pending.
// The timer still counts for WithMaxPending. p.shard.mu must be held.
func (p *part[K]) take(key K) func() {
	s := p.shard
	t, ok := p.timers[key]
	if !ok || s.calls.none(t.Index()) {
		return nil
	}
	f, _ := s.calls.at(t.Index())
	if !s.unschedule(t, false) {
		return nil
	}
	return f
}

// schedule schedules f as the timer of key after d. See shard.schedule for kept. p.shard.mu must be
// held.
func (p *part[K]) schedule(key K, d time.Duration, f func(), kept bool) error {
	t, err := p.shard.scheduleIn(d, f, nil, kept)
	if err != nil {
		delete(p.timers, key)
		return err
	}
	if t.IsZero() { // an algorithm that fires early has already fired it
		delete(p.timers, key)
		return nil
	}
	p.timers[key] = t
	p.most = max(p.most, len(p.timers))
	return nil
}

// forget removes the map entry of a timer that has fired, unless the key has a new timer.
func (p *part[K]) forget(key K) {
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	if t, ok := p.timers[key]; ok && !p.shard.wheel.Armed(t) {
		delete(p.timers, key)
	}
}

// shrinkAt is the factor by which a map must have shrunk before compact rebuilds it.
const shrinkAt = 4

// compact rebuilds the map if it has become much smaller, since maps release no memory by themselves.
func (p *part[K]) compact() {
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	if len(p.timers) > p.most/shrinkAt {
		return
	}
	timers := make(map[K]wheel.Timer, len(p.timers))
	for key, t := range p.timers {
		if p.shard.wheel.Armed(t) {
			timers[key] = t
		}
	}
	p.timers, p.most = timers, len(timers)
}

// namesMost is the maximum number of keys of a shard that are listed for the page of package timerhttp.
const namesMost = 4000

// names calls f with the id and the key of every timer of a shard that has a key, if there are at
// most namesMost such timers. The mu of the shard must be held.
func (k *Keyed[K]) names(shard uint32, f func(id uint32, key any)) {
	p := &k.parts[shard]
	if len(p.timers) > namesMost {
		return
	}
	for key, t := range p.timers {
		if p.shard.wheel.Armed(t) {
			f(t.Index(), key)
		}
	}
}

// compact rebuilds the maps of k that have become much smaller, and locks one shard at a time.
func (k *Keyed[K]) compact() {
	for n := range k.parts {
		k.parts[n].compact()
	}
}

// keyedMap has the methods of Keyed that do not depend on the type of the keys.
type keyedMap interface {
	compact()
	names(shard uint32, f func(id uint32, key any))
}

// keyedMaps is the set of a wheel's Keyed values. It does not keep them alive: each entry is a
// function that returns nil if the Keyed was garbage collected.
type keyedMaps struct {
	mu  sync.Mutex
	all []func() keyedMap
}

// weakMap returns a function that returns k, or nil once k has been garbage collected.
func weakMap[K comparable](k *Keyed[K]) func() keyedMap {
	p := weak.Make(k)
	return func() keyedMap {
		if k := p.Value(); k != nil {
			return k
		}
		return nil
	}
}

// add adds find, the function of a Keyed (see weakMap), and removes those of garbage collected values.
func (m *keyedMaps) add(find func() keyedMap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := m.all[:0]
	for _, find := range m.all {
		if find() != nil {
			left = append(left, find)
		}
	}
	m.all = append(left, find)
}

// each calls f with every Keyed that was not garbage collected.
func (m *keyedMaps) each(f func(keyedMap)) {
	m.mu.Lock()
	all := append([]func() keyedMap(nil), m.all...)
	m.mu.Unlock()
	for _, find := range all {
		if k := find(); k != nil {
			f(k)
		}
	}
}
