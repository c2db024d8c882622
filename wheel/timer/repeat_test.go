package timer

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The k-th run comes k intervals after the start, at that time or the next tick after it, whatever
// the interval: there is no drift and no rounding of the interval.
func TestTickFuncKeepsTheInterval(t *testing.T) {
	for _, d := range []time.Duration{300 * time.Microsecond, time.Millisecond, 1500 * time.Microsecond, 2100 * time.Microsecond, time.Second} {
		inBubble(t, func(t *testing.T, w *Wheel) {
			var at []time.Duration
			begun := time.Now()
			r := w.TickFunc(d, func() { at = append(at, time.Since(begun)) })
			time.Sleep(1000*d + 2*time.Millisecond)
			r.Stop()
			synctest.Wait()
			if d >= time.Millisecond && (len(at) < 1000 || len(at) > 1003) {
				t.Fatalf("%v: %d runs in 1000 intervals", d, len(at))
			}
			for k, got := range at {
				if d < time.Millisecond { // one in each tick
					if got != time.Duration(k+1)*time.Millisecond {
						t.Fatalf("%v: run %d at %v", d, k+1, got)
					}
					continue
				}
				if over := got - time.Duration(k+1)*d; over < 0 || over >= time.Millisecond {
					t.Fatalf("%v: run %d at %v", d, k+1, got)
				}
			}
		}, oneByOne, WithShards(1))
	}
}

// Runs never overlap, and due times that pass during a run are skipped.
func TestTickFuncSkipsMissed(t *testing.T) {
	for name, e := range executors() {
		inBubble(t, func(t *testing.T, w *Wheel) {
			var at []time.Duration
			var running atomic.Int32
			begun := time.Now()
			r := w.TickFunc(time.Second, func() {
				if running.Add(1) > 1 {
					t.Errorf("%s: two runs at once", name)
				}
				defer running.Add(-1)
				at = append(at, time.Since(begun))
				if len(at) == 2 {
					time.Sleep(3500 * time.Millisecond)
				}
			})
			time.Sleep(8500 * time.Millisecond)
			if !r.Stop() || r.Stop() {
				t.Error("Stop")
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			want := []time.Duration{time.Second, 2 * time.Second, 6 * time.Second, 7 * time.Second, 8 * time.Second}
			if !slices.Equal(at, want) || w.Pending() != 0 {
				t.Errorf("%s: ran at %v, want %v", name, at, want)
			}
		}, WithExecutor(e))
	}
}

// A fixed delay is counted from the end of a run.
func TestFixedDelay(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var at []time.Duration
		begun := time.Now()
		r := w.TickFunc(time.Second, func() {
			at = append(at, time.Since(begun))
			time.Sleep(300 * time.Millisecond)
		}, WithFixedDelay())
		time.Sleep(4 * time.Second)
		r.Stop()
		if want := []time.Duration{time.Second, 2300 * time.Millisecond, 3600 * time.Millisecond}; !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
	})
}

// After a Stop that returned true no run begins and none is in progress. After one that returned
// false because of a run in progress, no other run begins. The test runs in real time, with every
// executor.
func TestRepeatStopIsExact(t *testing.T) {
	for name, e := range executors() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := make1(t, WithExecutor(e), WithTick(20*time.Microsecond), WithShards(1))
			trues := 0
			for k := range 1500 {
				var stopped, running atomic.Bool
				r := w.TickFunc(20*time.Microsecond, func() {
					running.Store(true)
					if stopped.Load() {
						t.Error("a run began after Stop returned true")
					}
					running.Store(false)
				})
				for until := time.Now().Add(time.Duration(k%200) * time.Microsecond); time.Now().Before(until); {
					runtime.Gosched()
				}
				if r.Stop() {
					trues++
					stopped.Store(true)
					if running.Load() {
						t.Error("Stop returned true during a run")
					}
				}
			}
			if trues == 0 {
				t.Error("Stop never returned true")
			}
			must(t, w.Shutdown(t.Context()))
		})
	}
}

// If Stop is called between expiry and run, while the run is in the executor's queue, the run is
// dropped. Reset then starts the repeat anew, without that run.
func TestRepeatInTheQueue(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var at []time.Duration
		begun := time.Now()
		r := w.TickFunc(100*time.Millisecond, func() { at = append(at, time.Since(begun)) })
		w.AfterFunc(50*time.Millisecond, func() { time.Sleep(time.Second) })
		time.Sleep(200 * time.Millisecond)
		if was := r.Reset(2 * time.Second); !was {
			t.Errorf("Reset: %v", was)
		}
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		if want := []time.Duration{2200 * time.Millisecond}; !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
		w.AfterFunc(0, func() { time.Sleep(5 * time.Second) })
		time.Sleep(4 * time.Second)
		if !r.Stop() {
			t.Error("Stop of one in the queue is false")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(at) != 1 {
			t.Errorf("ran at %v", at)
		}
	}, oneByOne, WithShards(1))
}

// Reset changes the interval, also within a run, and restarts a repeat that has ended.
func TestRepeatReset(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var at []time.Duration
		begun := time.Now()
		ready := make(chan *Repeat, 1)
		r := w.TickFunc(time.Second, func() {
			if at = append(at, time.Since(begun)); len(at) == 2 {
				(<-ready).Reset(5 * time.Second)
				time.Sleep(time.Second)
			}
		})
		ready <- r
		time.Sleep(8 * time.Second)
		if !panics(func() { r.Reset(0) }) {
			t.Error("Reset(0)")
		}
		if !r.Stop() {
			t.Error("Stop")
		}
		if was := r.Reset(time.Second); was {
			t.Errorf("Reset of what has ended: %v", was)
		}
		time.Sleep(1500 * time.Millisecond)
		r.Stop()
		if want := []time.Duration{time.Second, 2 * time.Second, 7 * time.Second, 9 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
	})
}

// A panic or the end of its goroutine ends a run, but not the repeat.
func TestRepeatSurvivesPanics(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("oh") }, "exit": runtime.Goexit} {
		for who, e := range executors() {
			inBubble(t, func(t *testing.T, w *Wheel) {
				runs := 0
				r := w.TickFunc(time.Second, func() { runs++; end() })
				time.Sleep(10500 * time.Millisecond)
				if !r.Stop() || runs != 10 {
					t.Errorf("%s, %s: %d runs", name, who, runs)
				}
			}, WithExecutor(e), WithOnPanic(func(any, []byte) {}))
		}
	}
}

// A repeat whose interval is beyond the range of a fixed wheel runs in time.
func TestRepeatPastTheReach(t *testing.T) {
	inBubble(t, func(t *testing.T, w *Wheel) {
		var at []time.Duration
		begun := time.Now()
		r := w.TickFunc(time.Second, func() { at = append(at, time.Since(begun)) })
		time.Sleep(3500 * time.Millisecond)
		if r.Stop(); !slices.Equal(at, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}) {
			t.Errorf("ran at %v", at)
		}
	}, WithSlots(8))
}

// Due times are counted in ticks of the wheel: a run that is due after the beginning of the current
// tick fires at the next tick and is not missed.
func TestMissedAreCountedByTicks(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, c := range []struct{ next, every, now, want time.Duration }{
		{1000 * us, ms, 1050 * us, 2000 * us},
		{1020 * us, ms, 2050 * us, 2020 * us}, // fires at 3 ms
		{1999 * us, ms, 2000 * us, 2999 * us},
		{1020 * us, ms, 5050 * us, 5020 * us}, // 2.02, 3.02 and 4.02 are missed
		{1000 * us, ms, 5050 * us, 6000 * us},
		{1500 * us, 1500 * us, 2010 * us, 3000 * us},
		{1000 * us, 300 * us, 1010 * us, 1300 * us}, // never two in one tick
		{1300 * us, 300 * us, 2010 * us, 2200 * us},
		{ms, 10 * time.Second, 2050 * us, 10001 * ms},
	} {
		r := Repeat{interval: c.every, next: c.next}
		if got := r.following(c.now, ms); got != c.want {
			t.Errorf("every %v, due at %v and ended at %v: the next at %v, want %v", c.every, c.next, c.now, got, c.want)
		}
	}
}
