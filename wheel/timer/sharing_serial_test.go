//go:build !race

// A long test of one goroutine; see the Makefile.

package timer

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// However schedules share clock reads, no timer fires early, none is later than a tick plus
// the duration of the group, and none is lost.
func TestSharedTimersAreNeverEarly(t *testing.T) {
	geometries := []catalog.Params{nil, {"slots": []int64{4096, 64, 64, 64, 64, 64}}}
	for seed := range testkit.Pick(uint64(6), 30) {
		rnd := rand.New(rand.NewPCG(7, seed))
		s, now := shardOnTestClock(t, geometries[seed%2])
		dues := map[uint32]time.Duration{}
		var handles []wheel.Timer
		resets := 0
		shared, longest := 0, time.Duration(0) // schedules that shared a clock read, and the maximum age of one
		for range 4000 {
			*now += time.Duration(rnd.IntN(200))
			if rnd.IntN(200) == 0 { // the goroutine pauses within a group
				*now += time.Duration(rnd.Int64N(int64(300 * time.Microsecond)))
			}
			if len(s.sharing.timers) > 0 {
				longest = max(longest, *now-s.sharing.at)
			}
			if s.sharing.left > 0 {
				shared++
			}
			d := time.Duration(rnd.Int64N(int64(100 * time.Millisecond)))
			h := s.scheduleIn(d, nothing)
			dues[h.Index()] = *now + d
			if len(handles) > 0 && rnd.IntN(2) == 0 { // another is reset, which may share the clock read too
				other := handles[rnd.IntN(len(handles))]
				if _, pending := dues[other.Index()]; pending && s.wheel.Armed(other) {
					d := time.Duration(rnd.Int64N(int64(100 * time.Millisecond)))
					if !s.reschedule(other, d) {
						t.Fatalf("seed %d: not rescheduled", seed)
					}
					resets++
					dues[other.Index()] = *now + d
				}
			}
			handles = append(handles, h)
			if rnd.IntN(3) == 0 { // many are stopped before they are placed
				delete(dues, h.Index())
				if !s.cancel(h) || s.cancel(h) {
					t.Fatalf("seed %d: a timer is not stopped once", seed)
				}
			}
			switch rnd.IntN(100) {
			case 0: // a sample of the wheel removes no timer
				l := s.sample(wheel.Tick(*now/s.owner.tick), new(watch.Totals), true)
				if l.State.Live != len(dues) {
					t.Fatalf("seed %d: a look shows %d timers of %d", seed, l.State.Live, len(dues))
				}
			case 1:
				expireAt(t, s, *now, dues, longest)
			}
		}
		if shared < 1000 {
			t.Fatalf("seed %d: only %d schedules shared a clock read", seed, shared)
		}
		for end := *now + time.Second; *now < end; *now += 50 * time.Microsecond {
			expireAt(t, s, *now, dues, longest)
		}
		if resets < 500 {
			t.Fatalf("seed %d: only %d resets", seed, resets)
		}
		if len(dues) > 0 {
			t.Fatalf("seed %d: %d never fired", seed, len(dues))
		}
	}
}
