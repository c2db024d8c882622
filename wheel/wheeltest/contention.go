package wheeltest

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// contention lists the properties that are checked in real time, most of them with concurrent goroutines.
var contention = []Property{
	{
		Name: "stop against firing", Rule: "while many arm and stop, Stop is exact: after true the function is never called, after false it is called once",
		Seen: "RussellLuo loses 20 stops of 6 million in a cascade", Real: true, body: stopAgainstFiring,
	},
	{
		Name: "at once under load", Rule: "AfterFunc(0) fires at once while others arm and stop",
		Seen: "antlabs: 152 of 6.8 million a revolution late", Real: true, body: atOnceUnderLoad,
	},
	{
		Name: "reset against firing", Rule: "Reset from several goroutines neither hangs nor loses the timer",
		Seen: "rfyiamcool has a data race there", Real: true, needs: has[Resetter], body: resetAgainstFiring,
	},
	{
		Name: "keys under load", Rule: "while many set and remove their own keys, each Remove finds what was just set",
		Seen: "lk668: 31 of 100,000 stay armed", Real: true, needs: has[Keyed], body: keysUnderLoad,
	},
	{
		Name: "stop against repeats", Rule: "after Stop of a repeating timer returned true no run of it begins",
		Seen: "wheel/timer of this module: 3 of 48,817 did", Real: true, needs: has[Repeater], body: stopAgainstRepeats,
	},
	{
		Name: "pauses", Rule: "while a million timers fire at one instant, scheduling and stopping another takes at most 15 ms, but for one in a thousand",
		Seen: "wheel/timer of this module held a lock for a whole tick: 212 to 370 ms with a million timers", Real: true, body: pauses,
	},
	{
		Name: "drift", Rule: "over seconds timers do not fall behind the clock",
		Seen: "go-zero, rfyiamcool, xiaoxuxiansheng, siddontang count ticks: 7 to 8 % slow at 1 ms", Real: true, body: drift,
	},
	{
		Name: "stall", Rule: "timers that fall due while the process is stopped fire as soon as it continues, and later ones are on time",
		Seen: "go-zero #3619: a missed tick is never made up", Real: true, body: stall,
	},
}

// concurrently calls f in two goroutines per processor and waits for them. Each goroutine has its own source of random
// numbers, r. The function on, which f must call repeatedly, returns true until the time set by the Load option has
// elapsed, and false afterwards. f must return soon after it has obtained false.
func (x *checker) concurrently(f func(r *rand.Rand, on func() bool)) {
	var wg sync.WaitGroup
	end := time.Now().Add(x.config.load)
	for k := range 2 * runtime.GOMAXPROCS(0) {
		r := rand.New(rand.NewPCG(x.rand.Uint64(), uint64(k)))
		wg.Go(func() { f(r, func() bool { return time.Now().Before(end) }) })
	}
	wg.Wait()
}

// watched records the number of runs of a timer and the result of Stop. It is used instead of a testTimer when there
// are very many timers.
type watched struct {
	runs  counter
	asked bool // whether Stop was called
	// out is true if the timer must not fire, because Stop returned true. With NoAnswers, it is true if Stop
	// was called more than two ticks before the due time.
	out bool
}

// stop stops the timer with handle h and due time due, and records the result.
func (w *watched) stop(x *checker, h Handle, due time.Time) {
	w.asked, w.out = true, x.w.Stop(h)
	if x.config.mute {
		w.out = time.Until(due) > 2*x.tick
	}
}

// mustRun reports whether the timer must still fire: its function has not been called, and Stop was
// not called or returned false. With NoAnswers, a timer for which Stop was called need not fire.
func (w *watched) mustRun(x *checker) bool {
	return w.runs.Load() == 0 && (!w.asked || !w.out && !x.config.mute)
}

func stopAgainstFiring(x *checker) {
	var mu sync.Mutex
	var all []*watched
	x.concurrently(func(r *rand.Rand, on func() bool) {
		var mine []*watched
		for on() && len(mine) < goroutineTimersMax {
			w := &watched{}
			mine = append(mine, w)
			d := x.tick * time.Duration(1+r.IntN(29)) / 10 // never 0, which some reject: the property "not positive" covers that
			due := time.Now().Add(d)
			h, err := x.w.AfterFunc(d, w.runs.up)
			if err != nil {
				x.failf("AfterFunc(%v) gives the error %q", d, err)
				return
			}
			if r.IntN(4) == 0 {
				time.Sleep(x.tick * time.Duration(r.IntN(30)) / 10)
			}
			if r.IntN(8) > 0 {
				w.stop(x, h, due)
			}
		}
		mu.Lock()
		all = append(all, mine...)
		mu.Unlock()
	})
	x.pass(x.units(10) + x.slack())
	x.until(func() bool { return !slices.ContainsFunc(all, func(w *watched) bool { return w.mustRun(x) }) })
	x.judgeStops(all)
}

func (x *checker) judgeStops(all []*watched) {
	reason := "Stop had returned true"
	if x.config.mute {
		reason = "it was stopped more than two ticks before it was due"
	}
	for _, w := range all {
		n := w.runs.Load()
		switch {
		case w.out && n > 0:
			x.failf("of %d timers one fired although %s", len(all), reason)
		case w.mustRun(x) && w.asked:
			x.failf("of %d timers one never fired although Stop had returned false", len(all))
		case w.mustRun(x) || n > 1:
			x.failf("of %d timers one fired %d times", len(all), n)
		}
	}
}

// goroutineTimersMax is the maximum number of timers that each goroutine of checker.concurrently schedules in
// stopAgainstFiring, keysUnderLoad and stopAgainstRepeats.
const goroutineTimersMax = 1 << 20

// maximum records the longest of the durations that are added to it, and how many there were. It is safe for
// concurrent use.
type maximum struct {
	mu sync.Mutex
	d  time.Duration // the longest duration added so far
	n  int           // number of durations added so far
}

func (w *maximum) add(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.d = max(w.d, d)
	w.n++
}

func (w *maximum) result() (time.Duration, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.d, w.n
}

func atOnceUnderLoad(x *checker) {
	var mine, theirs maximum
	var armed counter
	if _, err := x.w.AfterFunc(0, func() {}); err != nil { // "not positive" reports that
		x.absent = "a delay of 0 is refused: " + err.Error()
		return
	}
	x.concurrently(func(r *rand.Rand, on func() bool) {
		for on() {
			h, _ := x.w.AfterFunc(time.Duration(r.Int64N(int64(x.units(50)))), func() {})
			begun := time.Now()
			armed.up()
			x.w.AfterFunc(0, func() { mine.add(time.Since(begun)) })
			time.AfterFunc(0, func() { theirs.add(time.Since(begun)) })
			x.w.Stop(h)
			if r.IntN(50) == 0 {
				time.Sleep(x.tick / 3)
			}
		}
	})
	x.until(func() bool {
		_, n := mine.result()
		return int64(n) == armed.Load()
	})
	late, n := mine.result()
	base, _ := theirs.result()
	if int64(n) != armed.Load() {
		x.failf("%d of %d timers due at once have fired", n, armed.Load())
	} else if late > 2*base+x.slack()+time.Second {
		x.failf("of %d timers due at once the latest fired %v late, of package time's %v", n, late, base)
	}
}

// untilTime is the maximum time that checker.until waits.
const untilTime = 10 * time.Second

// until waits until met returns true or untilTime has elapsed.
func (x *checker) until(met func() bool) {
	for end := time.Now().Add(untilTime); !met() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

func resetAgainstFiring(x *checker) {
	re := x.w.(Resetter)
	var runs counter
	h, err := x.w.AfterFunc(x.units(2), runs.up)
	if err != nil {
		x.failf("AfterFunc gives the error %q", err)
		return
	}
	x.returnsAfter("Reset from several goroutines", x.config.load, func() {
		x.concurrently(func(r *rand.Rand, on func() bool) {
			for k := 0; on() && k < 2000; k++ {
				re.Reset(h, x.tick*time.Duration(r.IntN(30))/10)
				time.Sleep(x.tick * time.Duration(r.IntN(10)) / 10)
			}
		})
	})
	x.pass(x.units(5) + x.slack())
	before := runs.Load()
	if err := re.Reset(h, x.units(2)); err != nil {
		x.failf("Reset gives the error %q", err)
	}
	x.pass(x.units(3) + x.slack())
	x.until(func() bool { return runs.Load() > before })
	if n := runs.Load() - before; n != 1 {
		x.failf("after many resets, one more Reset has it fire %d times", n)
	}
}

func keysUnderLoad(x *checker) {
	k := x.w.(Keyed)
	var lost, fired, all counter
	var names counter
	x.concurrently(func(r *rand.Rand, on func() bool) {
		names.up()
		mine := strconv.FormatInt(names.Load(), 10) + "/" + strconv.FormatUint(r.Uint64(), 36)
		for n := 0; on() && n < goroutineTimersMax; n++ {
			key := mine + strconv.Itoa(n%100)
			all.up()
			k.Set(key, x.units(50+r.IntN(50))+time.Second, fired.up)
			if !k.Remove(key) && !x.config.mute {
				lost.up()
			}
		}
	})
	x.pass(x.units(100) + time.Second + x.slack())
	if lost.Load()+fired.Load() > 0 {
		x.failf("of %d keys that were set and removed at once, Remove did not find %d, and %d fired", all.Load(), lost.Load(), fired.Load())
	}
}

// drift checks that the clock of the implementation does not run slow. It schedules timers over at least two seconds.
// The median lateness of the last quarter of them must not be much greater than that of timers of package time, which
// run under the same machine load.
func drift(x *checker) {
	const n = 200
	length := max(2*time.Second, x.units(20))
	mine, theirs := make(chan time.Duration, n), make(chan time.Duration, n)
	for k := range n {
		d := length * time.Duration(k+1) / n
		begun := time.Now()
		if _, err := x.w.AfterFunc(d, func() { mine <- time.Since(begun) - d }); err != nil {
			x.failf("AfterFunc gives the error %q", err)
			return
		}
		time.AfterFunc(d, func() { theirs <- time.Since(begun) - d })
	}
	x.pass(length)
	x.until(func() bool { return len(mine) == n && len(theirs) == n })
	if len(mine) < n {
		x.failf("%d of %d timers have fired, %v after they were due", len(mine), n, untilTime)
		return
	}
	got, base := lastMedian(mine, n), lastMedian(theirs, n)
	if got-base > x.tick+x.config.allow+25*time.Millisecond {
		x.failf("after %v the median timer is %v late, one of package time %v", length, got, base)
	}
}

// lastMedian receives the lateness of n timers from a channel. It returns the median of the last
// quarter of them, in which drift has the greatest effect.
func lastMedian(from chan time.Duration, n int) time.Duration {
	var all []time.Duration
	for range n {
		all = append(all, <-from)
	}
	last := all[n*3/4:]
	slices.Sort(last)
	return last[len(last)/2]
}

// stopAgainstRepeats stops repeating timers close to the beginning of a run. A run that begins
// after Stop has returned true is a fault.
func stopAgainstRepeats(x *checker) {
	var stops, begun counter
	x.concurrently(func(r *rand.Rand, on func() bool) {
		for n := 0; on() && n < goroutineTimersMax; n++ {
			var stopped atomic.Bool
			h, err := x.w.(Repeater).Every(x.tick, -1, func() {
				if stopped.Load() {
					begun.up()
				}
			})
			if err != nil {
				x.failf("Every(%v) gives the error %q", x.tick, err)
				return
			}
			for end := time.Now().Add(time.Duration(float64(x.tick) * (0.9 + r.Float64()))); time.Now().Before(end); {
				runtime.Gosched()
			}
			if x.w.Stop(h) {
				stopped.Store(true)
				stops.up()
			}
		}
	})
	x.pass(x.units(10) + x.slack())
	if n := begun.Load(); n > 0 && !x.config.mute {
		x.failf("of %d repeating timers whose Stop had returned true %d began another run", stops.Load(), n)
	}
}
