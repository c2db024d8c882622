package timer

import (
	"hash/maphash"
	"iter"
	"sync"
	"time"
	"weak"

	"github.com/wheelscope/wheelscope/wheel"
)

// Keyed is a set of timers identified by keys. At most one timer is pending for each key. Each key
// costs a map entry and a function, and each method call looks up its key. A program that can store
// a [Timer] in a value of its own, such as a connection, does not need a Keyed.
//
// A key that is not equal to itself, such as NaN, causes a panic, and so does one that is not comparable, if K is an
// interface type. The methods of a Keyed may be called concurrently, also by callbacks.
type Keyed[K comparable] struct {
	w     *Wheel
	parts []part[K] // one part for each shard of the wheel; the hash of a key selects the part
}

// part holds the timers of a Keyed that are in one shard of the wheel. It is guarded by that shard's mu.
type part[K comparable] struct {
	shard  *shard
	timers map[K]wheel.Timer // handles by key; the handle of a timer that has fired may remain until its call begins
	peak   int               // greatest number of entries that the map timers has had
}

// NewKeyed returns an empty set of timers that are scheduled on w.
func NewKeyed[K comparable](w *Wheel) *Keyed[K] {
	w.check(true)
	k := &Keyed[K]{w: w, parts: make([]part[K], len(w.shards))}
	for n, s := range w.shards {
		k.parts[n] = part[K]{shard: s, timers: map[K]wheel.Timer{}}
	}
	w.keyed.add(weakMap(k))
	return k
}

// check panics if key is not equal to itself, because no method could find its timer.
func (k *Keyed[K]) check(key K) {
	if key != key {
		panic("timer: a key of a Keyed must be equal to itself")
	}
}

// part returns the part of k that key belongs to, whether or not key has a timer.
func (k *Keyed[K]) part(key K) *part[K] {
	return &k.parts[maphash.Comparable(k.w.seed, key)%uint64(len(k.parts))]
}

// AfterFunc schedules f to be called with key after the duration d, as [Wheel.AfterFunc] does. It replaces the pending
// timer of key, if there is one.
func (k *Keyed[K]) AfterFunc(key K, d time.Duration, f func(key K)) {
	k.w.check(f != nil)
	k.check(key)
	p := k.part(key)
	p.shard.lock()
	defer p.shard.mu.Unlock()
	p.take(key)
	p.schedule(key, d, func() { p.forget(key); f(key) })
}

// Reset changes the pending timer of key to fire after duration d, counted from now, and returns true. If key has no
// pending timer, Reset does nothing and returns false.
func (k *Keyed[K]) Reset(key K, d time.Duration) bool {
	k.check(key)
	p := k.part(key)
	s := p.shard
	s.lock()
	defer s.mu.Unlock()
	if t, ok := p.timers[key]; ok && s.reschedule(t, d) {
		return true
	}
	f := p.take(key)
	if f == nil {
		return false
	}
	p.schedule(key, d, f)
	return true
}

// Stop stops the pending timer of key. It returns true if there is one; its function will then not run.
func (k *Keyed[K]) Stop(key K) bool {
	k.check(key)
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

// Len returns the number of keys whose timer is pending or has fired and not begun to run. It is 0 once the wheel is
// closed.
func (k *Keyed[K]) Len() (n int) {
	for i := range k.parts {
		p := &k.parts[i]
		p.shard.mu.Lock()
		if !p.shard.closed {
			n += len(p.timers)
		}
		p.shard.mu.Unlock()
	}
	return n
}

// Deadline returns the time at which the timer of key fires. ok is false if key has no pending timer, or in the cases of
// [Timer.Deadline].
func (k *Keyed[K]) Deadline(key K) (at time.Time, ok bool) {
	k.check(key)
	p := k.part(key)
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	return p.shard.deadline(p.timers[key])
}

// All returns an iterator over the keys that have a pending timer, and the time at which each timer fires, in no
// particular order. Timers that are scheduled or stopped during the iteration may or may not be included.
func (k *Keyed[K]) All() iter.Seq2[K, time.Time] {
	return func(yield func(K, time.Time) bool) {
		for n := range k.parts {
			for _, p := range k.parts[n].pending() {
				if !yield(p.key, p.due) {
					return
				}
			}
		}
	}
}

// pending describes a pending timer: its key and the time at which it fires.
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

// take removes the timer of key from the wheel and returns its function, or nil if none is pending. p.shard.mu must be
// held.
func (p *part[K]) take(key K) func() {
	t, ok := p.timers[key]
	if !ok {
		return nil
	}
	f := p.shard.calls.at(t.Index())
	if !p.shard.unschedule(t) {
		return nil
	}
	return f
}

// schedule schedules a timer for key that calls f after d. p.shard.mu must be held.
func (p *part[K]) schedule(key K, d time.Duration, f func()) {
	t := p.shard.scheduleIn(d, f)
	if t.IsZero() { // it never fires, or an algorithm that fires early has already fired it
		delete(p.timers, key)
		return
	}
	p.timers[key] = t
	p.peak = max(p.peak, len(p.timers))
}

// forget removes the map entry of key, whose timer has fired, unless key already has a new pending timer.
func (p *part[K]) forget(key K) {
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	if t, ok := p.timers[key]; ok && !p.shard.wheel.Armed(t) {
		delete(p.timers, key)
	}
}

// shrinkAt is the factor by which a map of a Keyed must have shrunk before part.compact rebuilds it.
const shrinkAt = 4

// compact rebuilds p.timers if its size is at most 1/shrinkAt of p.peak, because a map releases no memory by itself.
func (p *part[K]) compact() {
	p.shard.mu.Lock()
	defer p.shard.mu.Unlock()
	if len(p.timers) > p.peak/shrinkAt {
		return
	}
	timers := make(map[K]wheel.Timer, len(p.timers))
	for key, t := range p.timers {
		if p.shard.wheel.Armed(t) {
			timers[key] = t
		}
	}
	p.timers, p.peak = timers, len(timers)
}

// namesMost is the maximum number of keys that package timerhttp shows for one Keyed and one shard. If there are more,
// timerhttp shows none of them.
const namesMost = 4000

// names calls f with the ID and the key of every pending timer of k in the shard with the given index. If there are
// more than namesMost, it calls f for none of them. The shard's mu must be held.
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

// compact rebuilds the maps of k that have become much smaller (see part.compact). It locks one shard at a time.
func (k *Keyed[K]) compact() {
	for n := range k.parts {
		k.parts[n].compact()
	}
}

// keyedMap contains the methods of Keyed that do not depend on its key type.
type keyedMap interface {
	compact()
	names(shard uint32, f func(id uint32, key any))
}

// keyedMaps is the set of all Keyed of a wheel. It does not prevent their garbage collection: each
// entry is a function that returns nil once its Keyed has been collected (see weakMap).
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

// add adds find, a result of weakMap, to the set, and removes the entries whose Keyed has been garbage collected.
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

// each calls f with every Keyed of the set that has not been garbage collected.
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
