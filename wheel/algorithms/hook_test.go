package algorithms

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port"
)

// load is a workload whose last Advance does much work in one tick.
type load struct {
	lane
	what string
	n    int                  // timers
	due  func(int) wheel.Tick // of each
	to   wheel.Tick           // the tick with the work
}

var hookTimers = testkit.Pick(20_000, 200_000)

// at returns the same due tick for every timer.
func at(due wheel.Tick) func(int) wheel.Tick { return func(int) wheel.Tick { return due } }

// spreadOver returns due ticks in [from, from+width).
func spreadOver(from, width wheel.Tick) func(int) wheel.Tick {
	return func(k int) wheel.Tick { return from + wheel.Tick(k)*7919%width }
}

// loads returns, for every algorithm, many timers due in one tick, many that cascade and many in
// one slot with rounds left, as far as the algorithm has these.
func loads() (all []load) {
	add := func(what string, n int, due func(int) wheel.Tick, to wheel.Tick, id string, p catalog.Params) {
		all = append(all, load{lane{name: laneName(id, p), id: id, params: p}, what, n, due, to})
	}
	n := hookTimers
	add("expire", n, at(10), 10, "simple", catalog.Params{})
	add("scan", n, func(k int) wheel.Tick { return 100 + 1000*wheel.Tick(min(k, 1)) }, 64, "simple", catalog.Params{"overflow": "list"})
	add("cascade", n, spreadOver(70, 50), 64, "simple", catalog.Params{"overflow": "list"})
	add("expire", 20_000, at(10), 10, "list", catalog.Params{})
	add("expire", 3000, at(10), 10, "sorted", catalog.Params{})
	add("expire", 3000, at(10), 10, "hashed-sorted", catalog.Params{})
	add("expire", n, at(10), 10, "heap", catalog.Params{})
	add("expire", n, spreadOver(9, 2), 10, "heap", catalog.Params{"arity": int64(4)})
	add("expire", n, at(10), 10, "calendar", catalog.Params{})
	add("expire", n, spreadOver(10, 1<<40), 1<<40, "calendar", catalog.Params{})
	for _, id := range []string{"rounds", "lk668", "xiaoxu", "godis"} {
		add("expire", n, at(10), 11, id, catalog.Params{})
		add("wait", n, at(1+3600*100), 11, id, catalog.Params{"slots": int64(3600)})
	}
	add("expire", n/2, at(10), 11, "netty", catalog.Params{})
	add("wait", n/2, at(64*100+2), 3, "netty", catalog.Params{})
	add("expire", n, at(100), 100, "riicarus", catalog.Params{})
	for _, p := range []catalog.Params{{}, {"library": "tokio-util"}} {
		add("expire", n, at(10), 10, "tokio", p)
		add("cascade", n, spreadOver(1<<18, 1<<18), 1<<18, "tokio", p)
	}
	for _, id := range []string{"hierarchical", "linux-classic"} {
		add("expire", n, at(10), 10, id, catalog.Params{})
		add("cascade", n, spreadOver(1<<14, 1<<8), 1<<14, id, catalog.Params{})
	}
	add("expire", n, at(10), 11, "linux", catalog.Params{})
	for _, p := range []catalog.Params{{}, {"faults": []string{"unlocked"}}, {"drive": "tick"}} {
		add("expire", n, at(10), 10, "kafka", p)
		add("cascade", n, spreadOver(8000, 400), 8000, "kafka", p)
	}
	for _, l := range lanes() {
		if l.alone {
			add("expire", n, at(10), 11, l.id, l.params)
		}
	}
	return all
}

// fill schedules the timers of a load.
func (l load) fill(t testing.TB, w wheel.Observable) {
	t.Helper()
	for k := range l.n {
		if _, _, err := w.Schedule(wheel.Spec{Due: l.due(k), Key: uint32(k + 1)}); err != nil {
			t.Fatalf("timer %d: %v", k+1, err)
		}
	}
}

// eachLoad runs a test on every load, after scheduling its timers.
func eachLoad(t *testing.T, test func(t *testing.T, l load, w wheel.Observable)) {
	t.Helper()
	for _, l := range loads() {
		t.Run(l.name+"/"+l.what, func(t *testing.T) {
			w := l.build(t)
			l.fill(t, w)
			if l.id == "netty" && l.what == "wait" { // moves them out of the pending queue
				w.Advance(2, nil, 0)
			}
			test(t, l, w)
		})
	}
}

func TestLoadsCoverTheCatalogue(t *testing.T) {
	has := map[string]bool{}
	for _, l := range loads() {
		has[l.id] = true
	}
	for _, a := range Catalogue() {
		if !has[a.ID] {
			t.Errorf("no load for %s", a.ID)
		}
	}
}

// hookSlack is the maximum number of events of one unit of work: an expiry, the moves that close
// the gap in a heap, the next run.
const hookSlack = 40

// A hook is called at least once in HookInterval timers and events, and does not change the
// result.
func TestHookIsCalledOften(t *testing.T) {
	eachLoad(t, func(t *testing.T, l load, w wheel.Observable) {
		copied := w.Clone()
		var log, wantLog wheel.Log
		log.Keep, wantLog.Keep = true, true
		w.Observe(&log)
		copied.Observe(&wantLog)
		want, wantStatus := copied.Advance(l.to, nil, 0)

		calls, last, gap := 0, int64(0), int64(0)
		w.SetHook(func() bool {
			calls++
			gap, last = max(gap, log.Emitted()-last), log.Emitted()
			return true
		})
		fired, status := w.Advance(l.to, nil, 0)
		gap = max(gap, log.Emitted()-last)
		if calls < l.n/wheel.HookInterval {
			t.Errorf("%d timers: the hook was called %d times", l.n, calls)
		}
		if gap > wheel.HookInterval+hookSlack {
			t.Errorf("%d events without a call of the hook", gap)
		}
		if status != wantStatus || !slices.Equal(fired, want) || !slices.Equal(log.Events, wantLog.Events) || log.Count != wantLog.Count || w.Cost() != copied.Cost() {
			t.Error("the hook changed what fired, the events or the cost")
		}
		if !reflect.DeepEqual(stateOf(w), stateOf(copied)) {
			t.Error("the hook changed the state")
		}
	})
}

// After the hook has returned false the wheel does no more work, and every later call is
// rejected.
func TestHookAborts(t *testing.T) {
	eachLoad(t, func(t *testing.T, l load, w wheel.Observable) {
		calls := l.n / wheel.HookInterval
		for _, last := range []int{1, 2, calls / 2, calls} {
			w := w.Clone()
			var log wheel.Log
			before, calls := int64(0), 0
			w.Observe(&log)
			w.SetHook(func() bool {
				calls++
				before = log.Emitted()
				return calls < last
			})
			if _, status := w.Advance(l.to, nil, 0); status != wheel.Aborted {
				t.Fatalf("call %d of the hook returned false, Advance %d", last, status)
			}
			if more := log.Emitted() - before; calls != max(last, 1) || more > hookSlack {
				t.Errorf("%d calls of the hook and %d events after call %d returned false", calls, more, last)
			}
			expectAborted(t, w, &log)
		}
	})
}

// expectAborted checks the results of an aborted wheel.
func expectAborted(t *testing.T, w wheel.Observable, log *wheel.Log) {
	t.Helper()
	before := log.Emitted()
	w.SetHook(nil)
	fired, status := w.Advance(wheel.TickMax, nil, 0)
	handle, runs, err := w.Schedule(wheel.Spec{Due: 5, Key: 1})
	if len(fired) > 0 || status != wheel.Aborted || !handle.IsZero() || runs > 0 || !errors.Is(err, wheel.ErrAborted) {
		t.Errorf("Advance gave %d runs and status %d, Schedule %v, %d runs and %v", len(fired), status, handle, runs, err)
	}
	if first := wheel.NewTimer(1, 1); w.Armed(first) || w.Cancel(first) {
		t.Error("a timer of an aborted wheel is armed")
	}
	if c, ok := w.(port.TickCounter); ok {
		if _, status := c.Resume(wheel.TickMax, nil); status != wheel.Aborted {
			t.Errorf("Resume gave status %d", status)
		}
	}
	if log.Emitted() != before {
		t.Errorf("an aborted wheel wrote %d events", log.Emitted()-before)
	}
}

// Runs that are already due when a timer is scheduled are counted as work.
func TestHookInSchedule(t *testing.T) {
	const missed = 300_000
	for _, l := range lanes() {
		l.start = 1 << 20
		w := l.build(t)
		spec := wheel.Spec{Due: l.start - missed, Key: 1, Every: 1, Times: -1}
		copied := w.Clone()
		_, runs, _ := copied.Schedule(spec)
		if runs == 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			calls := 0
			w.SetHook(func() bool { calls++; return calls < 100 })
			if _, some, err := w.Schedule(spec); !errors.Is(err, wheel.ErrAborted) || calls != 100 || some > 101*wheel.HookInterval {
				t.Errorf("%d of %d runs, %d calls of the hook, error %v", some, runs, calls, err)
			}
			var log wheel.Log
			w.Observe(&log)
			expectAborted(t, w, &log)
		})
	}
}

// A search through many timers ends when the hook returns false.
func TestHookInASearch(t *testing.T) {
	const n = 5000
	for id, due := range map[string]func(int) wheel.Tick{
		"sorted": func(k int) wheel.Tick { // the first is the last in the list
			if k == 0 {
				return 1<<20 + 1
			}
			return 1 << 20
		},
		"hashed-sorted": at(1 << 20),
		"calendar":      func(k int) wheel.Tick { return 1<<20 - wheel.Tick(k) },
	} {
		t.Run(id, func(t *testing.T) {
			p := catalog.Params{}
			if id == "calendar" {
				p = catalog.Params{"day": int64(wheel.WidthMax), "resize": "off"}
			}
			w := lane{name: id, id: id, params: p}.build(t)
			for k := range n {
				if _, _, err := w.Schedule(wheel.Spec{Due: due(k), Key: uint32(k + 1)}); err != nil {
					t.Fatal(err)
				}
			}
			compared, calls := w.Cost().Compared, 0
			w.SetHook(func() bool { calls++; return calls < 3 })
			_, _, err := w.Schedule(wheel.Spec{Due: due(n), Key: n + 1})
			if !errors.Is(err, wheel.ErrAborted) || calls != 3 {
				t.Errorf("%d calls of the hook, error %v", calls, err)
			}
			if more := w.Cost().Compared - compared; more < wheel.HookInterval || more > 3*wheel.HookInterval {
				t.Errorf("%d timers compared", more)
			}
		})
	}
}

// Cancelled timers that wait for removal are counted as work, and so is their removal.
func TestHookInNettysSweep(t *testing.T) {
	const n = 50_000
	w := lane{name: "netty", id: "netty"}.build(t)
	handles := make([]wheel.Timer, n)
	for k := range handles {
		handles[k], _, _ = w.Schedule(wheel.Spec{Due: 1000, Key: uint32(k + 1)})
	}
	w.Advance(2, nil, 0)
	for _, h := range handles {
		w.Cancel(h)
	}
	var log wheel.Log
	w.Observe(&log)
	calls := 0
	w.SetHook(func() bool { calls++; return calls < 4 })
	if _, status := w.Advance(3, nil, 0); status != wheel.Aborted || calls != 4 || log.Count[wheel.KindSweep] > 4*wheel.HookInterval {
		t.Errorf("status %d, %d calls, %d timers swept", status, calls, log.Count[wheel.KindSweep])
	}
	expectAborted(t, w, &log)
}

// A copy has no hook; a copy of an aborted wheel is aborted too.
func TestACopyHasNoHook(t *testing.T) {
	for _, a := range Catalogue() {
		w := lane{name: a.ID, id: a.ID}.build(t)
		w.SetHook(func() bool { t.Errorf("%s: a copy called the hook", a.ID); return false })
		c := w.Clone()
		for k := range 2 * wheel.HookInterval {
			c.Schedule(wheel.Spec{Due: wheel.Tick(k), Key: 1})
		}
		if _, status := c.Advance(wheel.HookInterval, nil, 0); status != wheel.Done {
			t.Errorf("%s: status %d", a.ID, status)
		}
	}
}

// A wheel that advances over 3·10^18 ticks stops when its hook returns false, unless it has so
// little to do that it finishes first.
func TestHookInACatchUp(t *testing.T) {
	for _, l := range lanes() {
		t.Run(l.name, func(t *testing.T) {
			w := l.build(t)
			w.Schedule(wheel.Spec{Due: 4e18, Key: 1})
			calls := 0
			w.SetHook(func() bool { calls++; return calls < 100 })
			if _, status := w.Advance(3e18, nil, 0); status == wheel.Aborted != (calls == 100) {
				t.Errorf("status %d after %d calls of the hook", status, calls)
			}
		})
	}
}

func ExampleHook() {
	w, _ := New("rounds", catalog.Params{"slots": 64}, 0)
	w.Schedule(wheel.Spec{Due: 4e18, Key: 1})
	turns := 0
	w.SetHook(func() bool { turns++; return turns < 10 })
	_, status := w.Advance(3e18, nil, 0)
	fmt.Println(status == wheel.Aborted, turns)
	// Output: true 10
}
