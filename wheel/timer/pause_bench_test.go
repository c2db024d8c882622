package timer

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Parameters of BenchmarkPause.
const (
	pauseGap     = 10 * time.Microsecond   // between two samples
	pauseSamples = 1 << 17                 // at most: more than a second of them
	pauseStorm   = 3 * time.Second         // from now until the timers of a storm are due: time to schedule them
	pauseSlot    = 4096 * time.Millisecond // a slot of level 2, for ticks of 1 ms
	pauseWatch   = 400 * time.Millisecond  // how long samples are taken during a cascade
	pauseWait    = 30 * time.Second        // maximum duration of a storm
	pauseEve     = 20 * time.Millisecond   // before a storm, while the caller does not sleep
)

// stopper is a timer; AfterFunc of either library returns one.
type stopper interface {
	Stop() bool
	Reset(time.Duration) bool
}

// timers schedules f after d.
type timers func(d time.Duration, f func()) stopper

// BenchmarkPause measures how long one AfterFunc and Stop take while a million other timers expire
// in one tick (storm), or move from one slot to others without expiring, on their way (cascade) or because they were
// reset (visit). Package time
// and the pauses of the machine itself are measured in the same run: run it with -benchtime 1x
// -count 10 and compare. The benchmark allocates, and the garbage collector can use both processors
// of a small machine for milliseconds: the metric gc counts collections while samples are taken.
// With GOGC=off there are none.
//
// A sample is taken every 10 µs while the million is processed. The
// metrics are quantiles in microseconds. A long sample delays those that should have been taken
// meanwhile. Therefore it is counted again with 10 µs less, 20 µs less, and so on, like the waits
// of callers that arrive every 10 µs.
func BenchmarkPause(b *testing.B) {
	for _, scene := range []struct {
		name string
		run  func(*testing.B, timers) []time.Duration
	}{{"storm", storm}, {"cascade", cascade}, {"visit", visit}} {
		b.Run(scene.name+"/goroutines", func(b *testing.B) { pause(b, scene.run, Goroutines) })
		b.Run(scene.name+"/inline", func(b *testing.B) { pause(b, scene.run, Inline) })
		b.Run(scene.name+"/time", func(b *testing.B) { pause(b, scene.run, nil) })
	}
	b.Run("compact", compacting)
	b.Run("machine", machine)
}

// compacting takes samples while Compact releases the memory of a million stopped timers.
func compacting(b *testing.B) {
	var all []time.Duration
	for b.Loop() {
		w, timers := full(b)
		for k := range timers {
			timers[k].Stop()
		}
		begun, done := time.Now(), make(chan struct{})
		var took time.Duration
		go func() {
			defer close(done)
			w.Compact()
			took = time.Since(begun)
		}()
		all = append(all, sample(b, on(w), func() bool {
			select {
			case <-done:
				return false
			default:
				return true
			}
		})...)
		<-done
		b.ReportMetric(took.Seconds()*1e3, "compact-ms")
	}
	reportPauses(b, all)
}

// machine takes samples that do nothing while another goroutine is busy. They show the pauses that
// other processes cause.
func machine(b *testing.B) {
	var all []time.Duration
	for b.Loop() {
		end := time.Now().Add(pauseWatch)
		var busy sync.WaitGroup
		busy.Go(func() {
			for time.Now().Before(end) {
			}
		})
		nop := func(time.Duration, func()) stopper { return idle{} }
		all = append(all, sample(b, nop, func() bool { return time.Now().Before(end) })...)
		busy.Wait()
	}
	reportPauses(b, all)
}

// on returns the AfterFunc of w.
func on(w *Wheel) timers {
	return func(d time.Duration, f func()) stopper {
		t := w.AfterFunc(d, f)
		return &t
	}
}

// idle is a timer that does nothing.
type idle struct{}

func (idle) Stop() bool               { return true }
func (idle) Reset(time.Duration) bool { return true }

// pause reports the quantiles of the samples that run takes, with executor e, or of package time
// if e is nil.
func pause(b *testing.B, run func(*testing.B, timers) []time.Duration, e Executor) {
	var all []time.Duration
	for b.Loop() {
		if e == nil {
			all = append(all, run(b, func(d time.Duration, f func()) stopper { return time.AfterFunc(d, f) })...)
			continue
		}
		runtime.GC() // before the wheel is created, because a cascade depends on the wheel's age
		w, err := New(WithExecutor(e))
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, run(b, on(w))...)
		w.Shutdown(context.Background())
	}
	reportPauses(b, all)
}

// reportPauses reports the quantiles of all samples.
func reportPauses(b *testing.B, all []time.Duration) {
	slices.Sort(all)
	at := func(q float64) float64 { return float64(all[int(q*float64(len(all)-1))]) / 1e3 }
	b.ReportMetric(at(0.5), "p50-µs")
	b.ReportMetric(at(0.99), "p99-µs")
	b.ReportMetric(at(0.999), "p99.9-µs")
	b.ReportMetric(at(1), "max-µs")
	b.ReportMetric(float64(len(all))/float64(b.N), "samples")
}

// storm lets a million timers expire in one tick, and takes samples until all have expired.
func storm(b *testing.B, after timers) []time.Duration {
	var fired atomic.Int64
	f := func() { fired.Add(1) }
	due := time.Now().Add(pauseStorm)
	for range benchPending {
		after(time.Until(due), f)
	}
	if time.Now().After(due) {
		b.Fatal("scheduling took too long: the timers are not due in one tick")
	}
	time.Sleep(time.Until(due) - pauseEve)
	for time.Now().Before(due) { // a sleeping goroutine would be woken after the storm
	}
	samples := sample(b, after, func() bool { return fired.Load() < benchPending })
	for deadline := time.Now().Add(pauseWait); fired.Load() < benchPending; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatalf("%d of %d timers fired", fired.Load(), benchPending)
		}
	}
	b.ReportMetric(time.Since(due).Seconds()*1e3, "storm-ms")
	return samples
}

// cascade schedules a million timers in one slot of level 2, all due in the last quarter of its
// range, and takes samples when the hand reaches it. (Package time has no cascade: its samples are
// taken with a million pending timers.)
func cascade(b *testing.B, after timers) []time.Duration {
	begun := time.Now() // the wheel is slightly older
	stops := make([]stopper, benchPending)
	for k := range stops {
		late := 3*pauseSlot/4 + time.Duration(k)*(pauseSlot/8)/benchPending
		stops[k] = after(time.Until(begun.Add(2*pauseSlot+late)), nothing)
	}
	if time.Since(begun) > pauseSlot/2 {
		b.Fatal("scheduling took too long: the timers are not in one slot")
	}
	time.Sleep(time.Until(begun.Add(2*pauseSlot - pauseWatch/4)))
	end := begun.Add(2*pauseSlot + pauseWatch)
	samples := sample(b, after, func() bool { return time.Now().Before(end) })
	for _, t := range stops {
		t.Stop()
	}
	return samples
}

// visit postpones a million timers of one slot of level 2, and takes samples when the hand reaches the slot, whose visit
// moves all of them. It also reports how late short timers fire meanwhile.
func visit(b *testing.B, after timers) []time.Duration {
	begun := time.Now()
	all := make([]stopper, benchPending)
	for k := range all {
		all[k] = after(time.Until(begun.Add(2*pauseSlot+pauseSlot/2)), nothing)
	}
	for _, t := range all {
		t.Reset(time.Hour)
	}
	if time.Since(begun) > pauseSlot {
		b.Fatal("scheduling took too long: the timers are not in one slot")
	}
	time.Sleep(time.Until(begun.Add(2*pauseSlot - pauseWatch/4)))
	end := begun.Add(2*pauseSlot + pauseWatch)
	var late []time.Duration
	probes := 0
	var mu sync.Mutex
	var group sync.WaitGroup
	group.Go(func() {
		for time.Now().Before(end) {
			due := time.Now().Add(time.Millisecond)
			after(time.Millisecond, func() {
				mu.Lock()
				defer mu.Unlock()
				late = append(late, time.Since(due))
			})
			probes++
			time.Sleep(100 * time.Microsecond)
		}
	})
	samples := sample(b, after, func() bool { return time.Now().Before(end) })
	group.Wait()
	fired := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(late)
	}
	for deadline := time.Now().Add(pauseWait); fired() < probes; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatalf("%d of %d short timers fired", fired(), probes)
		}
	}
	slices.Sort(late)
	b.ReportMetric(late[len(late)*99/100].Seconds()*1e3, "late-p99-ms")
	b.ReportMetric(late[len(late)-1].Seconds()*1e3, "late-max-ms")
	for _, t := range all {
		t.Stop()
	}
	return samples
}

// sample measures AfterFunc and Stop every pauseGap, as long as on returns true, and reports the number
// of garbage collections meanwhile.
func sample(b *testing.B, after timers, on func() bool) []time.Duration {
	samples := make([]time.Duration, 0, pauseSamples)
	before := collections()
	for next := time.Now(); on() && len(samples) < pauseSamples; {
		begun := time.Now()
		if begun.Before(next) {
			runtime.Gosched()
			continue
		}
		after(time.Minute, nothing).Stop()
		end := time.Now()
		for took := end.Sub(begun); len(samples) < pauseSamples; took -= pauseGap {
			if samples = append(samples, took); took <= pauseGap {
				break
			}
		}
		next = end.Add(pauseGap)
	}
	b.ReportMetric(float64(collections()-before), "gc")
	return samples
}

// collections returns the number of garbage collections that have ended.
func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}
