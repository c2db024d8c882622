package timer

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// ID is a timer by number, for programs that hold very many: 8 bytes, where a [Timer] takes
// 24, and nothing that the garbage collector follows. It is of use with the wheel that gave
// it only. 0 is none, and no ID is given twice, until a place has had 2^32 timers.
//
// Its bits: the generation of a place (32), the place in a shard, and the shard (as few as
// name them all). So a shard holds 2^32 ÷ shards timers that have an ID.
type ID uint64

// Schedule is AfterFunc that gives a number: f is called once d has passed, where the wheel's
// executor runs it. The error is AfterFunc's; [ErrFull] where the shard has no number left.
// The ID is 0 where the algorithm fires early by its own rule (see [Algorithm]) and has done so.
func (w *Wheel) Schedule(d time.Duration, f func()) (ID, error) {
	if f == nil {
		return 0, ErrNil
	}
	s := w.pick()
	s.lock()
	defer s.mu.Unlock()
	t, err := s.armIn(d, f, nil, false)
	if err != nil {
		return 0, err
	}
	id, ok := s.id(t)
	if !ok {
		s.cancel(t)
		return 0, ErrFull
	}
	return id, nil
}

// Cancel disarms the timer of that number, as Stop does: true means that it will not run;
// false that it has run, runs, or is about to, that it was cancelled before, or that there is
// no such timer.
func (w *Wheel) Cancel(id ID) bool {
	number := uint32(id) & (1<<w.shardBits - 1)
	if int(number) >= len(w.shards) {
		return false
	}
	s := w.shards[number]
	s.mu.Lock()
	was := s.cancel(wheel.NewTimer(uint32(id)>>w.shardBits, uint32(id>>32)))
	s.mu.Unlock()
	return was
}

// id is the number of a timer of this shard, if its place has one; that of no timer is 0.
func (s *shard) id(t wheel.Timer) (id ID, ok bool) {
	if t.IsZero() {
		return 0, true
	}
	low := uint64(t.Index())<<s.owner.shardBits | uint64(s.number)
	return ID(t.Generation())<<32 | ID(low), low>>32 == 0
}
