package timer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// booksOps is the number of random operations on each algorithm.
var booksOps = testkit.Pick(100, 300)

// Random operations of every kind run on every algorithm. After each operation the wheel, the callbacks and the keys
// agree. No stopped timer runs, and none runs twice.
func TestEveryTimerIsAccountedFor(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		if a.ID == "redis" { // it is for the lab only: each of its ticks runs a script on a server
			continue
		}
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, w *Wheel) {
				b := &accounts{T: t, w: w, keys: NewKeyed[int](w), r: rand.New(rand.NewPCG(0, 1))}
				for range booksOps {
					b.operate()
					synctest.Wait()
					b.balance()
					if t.Failed() {
						t.Fatalf("after\n%s", strings.Join(b.done, "\n"))
					}
				}
			}, WithShards(1), WithExecutor(Inline), algorithm(a.ID, nil))
		})
	}
}

// accounts is the state that a test expects of a wheel.
type accounts struct {
	*testing.T
	w     *Wheel
	keys  *Keyed[int]
	r     *rand.Rand
	calls []*expected
	ticks []*Repeat
	done  []string // operations so far
}

// expected is a timer with a function, and the number of runs that may still occur.
type expected struct {
	t   Timer
	may atomic.Int32
}

func (a *expected) run() { a.may.Add(-1) }

// delay returns a random delay: 0, within a tick, at each level, or beyond the range.
func (b *accounts) delay() time.Duration {
	longest := [...]time.Duration{0, time.Millisecond, 20 * time.Millisecond, time.Second, 2 * time.Minute, 1000 * time.Hour}
	d := longest[b.r.IntN(len(longest))]
	return time.Duration(b.r.Int64N(int64(d) + 1))
}

func (b *accounts) note(what string, d time.Duration) {
	b.done = append(b.done, fmt.Sprintf("%s %v", what, d))
}

func pickOf[T any](r *rand.Rand, all []T) (one T, ok bool) {
	if len(all) == 0 {
		return one, false
	}
	return all[r.IntN(len(all))], true
}

func (b *accounts) operate() {
	d, key := b.delay(), b.r.IntN(4)
	switch b.r.IntN(16) {
	case 0, 1:
		a := &expected{}
		a.may.Store(1)
		a.t = b.w.AfterFunc(d, a.run)
		b.note("AfterFunc", d)
		b.calls = append(b.calls, a)
	case 2, 3:
		if a, ok := pickOf(b.r, b.calls); ok {
			if a.t.Stop() {
				a.may.Add(-1)
			}
			b.note("Stop", 0)
		}
	case 4:
		if a, ok := pickOf(b.r, b.calls); ok {
			a.may.Add(1) // it may run before Reset returns
			if a.t.Reset(d) {
				a.may.Add(-1)
			}
			b.note("Reset", d)
		}
	case 5, 6:
		b.keys.AfterFunc(key, d, func(int) {})
		b.note(fmt.Sprint("Keyed.AfterFunc ", key), d)
	case 7:
		b.note(fmt.Sprint("Keyed.Reset ", key, b.keys.Reset(key, d)), d)
	case 8:
		b.note(fmt.Sprint("Keyed.Stop ", key, b.keys.Stop(key)), 0)
	case 9:
		b.ticks = append(b.ticks, b.w.TickFunc(max(d, time.Millisecond), nothing))
		b.note("TickFunc", d)
	case 10:
		if r, ok := pickOf(b.r, b.ticks); ok {
			r.Reset(max(d, time.Millisecond))
			b.note("Repeat.Reset", d)
		}
	case 11, 12:
		if r, ok := pickOf(b.r, b.ticks); ok {
			r.Stop()
			b.note("Repeat.Stop", 0)
		}
	case 13:
		if b.r.IntN(4) == 0 {
			for key := range b.keys.All() {
				b.keys.Stop(key)
			}
			b.note("stop all keys", 0)
		}
	case 14:
		b.w.Compact()
		b.note("Compact", 0)
	default:
		d = min(d, 10*time.Second)
		time.Sleep(d)
		b.note("Sleep", d)
	}
}

// balance checks that the parts of the wheel agree with each other.
func (b *accounts) balance() {
	s := b.w.shards[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := 0
	for _, page := range s.calls {
		for _, f := range page {
			if f != nil {
				calls++
			}
		}
	}
	if n := s.wheel.Len(); n != calls {
		b.Errorf("the wheel holds %d timers, and %d functions are kept", n, calls)
	}
	for key, t := range b.keys.parts[0].timers {
		if !s.wheel.Armed(t) && s.calls.at(t.Index()) == nil && b.w.Running() == 0 {
			b.Errorf("key %v is kept, and its timer has ended", key)
		}
	}
	for _, a := range b.calls {
		if n := a.may.Load(); n < 0 {
			b.Errorf("a timer ran %d times too often", -n)
		}
	}
	if err := s.observable().Check(); err != nil {
		b.Error(err)
	}
}
