package advise

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// repeats is how often each structure is timed; the least time counts, since other work on the machine only adds.
const repeats = 10

// timeAll times the candidates on the workloads, which have the ticks of their widths, one after another in turns, and sets
// Result.NS. Each is replayed the given number of times. step is called after each replay. If ctx is done, the candidates keep the times measured so far, and those
// without any keep 0.
func timeAll(ctx context.Context, list []*Result, w map[int64]*Workload, times int, step func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // collections are between the replays
	least := map[*Result]float64{}
	base := map[int64]float64{} // time of the replay itself, by width
	still := 0.0                // time of the replay in real time without timers
	for k := range times {
		for width, sample := range w {
			if ctx.Err() != nil {
				return
			}
			base[width] = least0(base[width], timeReplay(ctx, sample, &idle{}))
		}
		for i := range list {
			r := list[(i+k)%len(list)]
			var ns float64
			if r.Algorithm == PackageTime {
				ns = float64(replayTime(ctx, w[r.Width], true))
				still = least0(still, float64(replayTime(ctx, w[r.Width], false)))
			} else if made, err := r.build(w[r.Width].from); err == nil {
				ns = timeReplay(ctx, w[r.Width], made)
			}
			if ctx.Err() != nil {
				return
			}
			step()
			least[r] = least0(least[r], ns)
			net := least[r] - base[r.Width]
			if r.Algorithm == PackageTime { // the least of each, since the least of differences is too little
				net = least[r] - still
			}
			r.NS = max(net/float64(w[r.Width].Events), 0.1)
		}
	}
}

// least0 returns the lesser of a and b, or b if a is 0.
func least0(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// timeReplay returns the time of a replay of w on made, in nanoseconds.
func timeReplay(ctx context.Context, w *Workload, made wheel.Wheel) float64 {
	p := &player{Workload: w}
	p.prepare(made)
	runtime.GC()
	stop := false
	if w.Events > SampleEvents {
		p.done = func() bool { stop = stop || ctx.Err() != nil; return stop }
	}
	start := cpuTime()
	p.play()
	return float64(cpuTime() - start)
}

// idle is a wheel that does nothing, whose replay takes the time of the replay itself.
type idle struct{ now wheel.Tick }

func (w *idle) Schedule(s wheel.Spec) (wheel.Timer, int, error) {
	return wheel.NewTimer(s.Key, 1), 0, nil
}
func (w *idle) Cancel(wheel.Timer) bool  { return false }
func (w *idle) Armed(wheel.Timer) bool   { return false }
func (w *idle) Next() (wheel.Tick, bool) { return 0, false }
func (w *idle) Now() wheel.Tick          { return w.now }
func (w *idle) Len() int                 { return 0 }

func (w *idle) Advance(to wheel.Tick, fired []wheel.Expiry, _ int) ([]wheel.Expiry, wheel.Status) {
	w.now = to
	return fired, wheel.Done
}

// Package time runs in real time, so a sample is replayed at a speed at which an event takes eventSpan: delays become
// shorter, their order and the number of pending timers stay the same.
const (
	eventSpan  = 2 * time.Microsecond
	spanMin    = 50 * time.Millisecond
	setupSpan  = 1500 * time.Nanosecond // for each timer that is pending at the start, which must be set up before it
	sleepSpan  = 50 * time.Microsecond  // a replay that is ahead by more sleeps
	clockEvery = 16                     // operations between two looks at the clock
)

// replayTime replays w in real time and returns the processor time of the process. With timers it does so on package time;
// without, it starts a goroutine for each callback, in place of package time, so that the difference is the time of the
// timers alone. The Go scheduler has one processor meanwhile: processors that look for work to share take more time than the
// timers, and not the same time in both.
func replayTime(ctx context.Context, w *Workload, timers bool) (spent time.Duration) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var replay sync.WaitGroup
	replay.Go(func() { spent = replayUnlocked(ctx, w, timers) }) // a goroutine that is locked to its thread is slow to wake
	replay.Wait()
	return spent
}

func replayUnlocked(ctx context.Context, w *Workload, timers bool) time.Duration {
	span := max(spanMin, time.Duration(w.Events)*eventSpan)
	scale := float64(span) / float64(w.until-w.from+1)
	real := func(ticks int64) time.Duration {
		return time.Duration(min(float64(ticks)*scale, float64(math.MaxInt64/4)))
	}
	armed := make([]*time.Timer, w.timers+1)
	arm := func(id uint32, after time.Duration, every int64) {
		if every <= 0 {
			armed[id] = time.AfterFunc(after, func() {})
			return
		}
		var t *time.Timer
		var once sync.Mutex // the callback waits until t is set
		once.Lock()
		t = time.AfterFunc(after, func() {
			once.Lock()
			defer once.Unlock()
			t.Reset(real(every))
		})
		once.Unlock()
		armed[id] = t
	}
	runtime.GC()
	start := time.Now().Add(time.Duration(len(w.setup))*setupSpan + time.Millisecond)
	if timers {
		for i := range w.setup {
			p := &w.setup[i]
			arm(p.id, time.Until(start)+real(p.due-w.from), p.every)
		}
	}
	time.Sleep(time.Until(start))
	before := processTime()
	called := int64(0) // goroutines started in place of callbacks
	for i := range w.ops {
		o := &w.ops[i]
		if i%clockEvery == 0 {
			if ahead := real(o.At-w.from) - time.Since(start); ahead > sleepSpan {
				time.Sleep(ahead)
			}
			if ctx.Err() != nil {
				break
			}
			for due := w.Fired * int64(i) / int64(len(w.ops)); !timers && called < due; called++ {
				go func() {}()
			}
		}
		t := armed[o.Target]
		switch {
		case o.Kind == scenario.OpReset && t != nil && o.Every <= 0:
			t.Reset(real(o.Delay))
			armed[o.ID] = t
			continue
		case t != nil:
			t.Stop()
		}
		if timers && o.Kind.Arms() {
			arm(o.ID, real(o.Delay), o.Every)
		}
	}
	for ; !timers && called < w.Fired; called++ {
		go func() {}()
	}
	time.Sleep(time.Until(start.Add(span)))
	spent := processTime() - before
	for _, t := range armed {
		if t != nil {
			t.Stop()
		}
	}
	return spent
}

// lockTime returns the time of a lock and of reading the clock, in nanoseconds, which package timer adds to an operation.
func lockTime() float64 {
	const n = 100_000
	best := math.Inf(1)
	var mu sync.Mutex
	for range 3 {
		before := cpuTime()
		for range n {
			mu.Lock()
			_ = time.Now()
			mu.Unlock()
		}
		best = min(best, float64(cpuTime()-before)/n)
	}
	return best
}
