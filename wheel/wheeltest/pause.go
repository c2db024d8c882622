package wheeltest

import (
	"slices"
	"time"
)

// Parameters of the property "pauses".
const (
	pauseTimers = 1 << 20                // maximum number of timers scheduled for one instant
	pauseLead   = time.Second            // maximum time spent on scheduling the timers of one attempt
	pauseEve    = 20 * time.Millisecond  // pausesOf begins to measure this long before the timers are due
	pauseGap    = 10 * time.Microsecond  // time from the end of one measurement to the beginning of the next
	pauseMax    = 15 * time.Millisecond  // permitted 99.9th percentile of the time taken to schedule and stop a timer
	pauseRounds = 5                      // maximum number of attempts; the machine may pause, so one success is enough
	pauseOver   = 3 * time.Second        // an attempt ends this long, and two ticks, after the due time at the latest
	pauseFar    = 500 * time.Millisecond // approximate delay of the timer that is scheduled and stopped for a measurement
)

// pauses checks that, while very many other timers fire, the 99.9th percentile of the time taken to schedule and stop a
// timer is at most pauseMax, not counting pauses of the machine. In a library that holds a lock while it processes a
// tick, this takes longer in each of pauseRounds attempts.
func pauses(x *checker) {
	var shortest, machine time.Duration
	for round := range pauseRounds {
		p, n := x.pausesOf(x.storm())
		if x.failed() || p <= pauseMax+n {
			return
		}
		if round == 0 || p < shortest {
			shortest, machine = p, n
		}
	}
	x.failf("while up to %d timers fired, AfterFunc and Stop took %v at the 99.9th percentile in the best of %d rounds, in which the goroutine did not run for up to %v",
		pauseTimers, shortest, pauseRounds, machine)
}

// storm schedules up to pauseTimers timers for the same instant. It returns that instant, due, and
// a function, over, that reports whether all of these timers have fired.
func (x *checker) storm() (due time.Time, over func() bool) {
	var fired counter
	begun, n := time.Now(), int64(0)
	due = begun.Add(pauseLead + max(pauseEve, x.units(2)))
	for ; n < pauseTimers && time.Since(begun) < pauseLead; n++ {
		if _, err := x.w.AfterFunc(time.Until(due), fired.up); err != nil {
			x.failf("AfterFunc of timer %d gives the error %q", n+1, err)
			break
		}
	}
	return due, func() bool { return fired.Load() >= n }
}

// pausesOf measures how long it takes to schedule and stop a timer. It repeats the measurement, with pauses of
// pauseGap, from shortly before due until over returns true, or until two ticks and pauseOver after due, but once at least. p is the
// 99.9th percentile of the measured times. To allow for callers that would have had to wait for a slow measurement, a
// time t counts as t, t−pauseGap, t−2·pauseGap, and so on, as if another caller had arrived every pauseGap. machine is
// the longest time between two consecutive clock reads in a loop that only reads the clock: during that time the
// machine was running something else.
func (x *checker) pausesOf(due time.Time, over func() bool) (p, machine time.Duration) {
	time.Sleep(time.Until(due) - pauseEve)
	var all []time.Duration
	for end := due.Add(x.units(2) + pauseOver); len(all) == 0 || !over() && time.Now().Before(end); {
		begun := time.Now()
		h, err := x.w.AfterFunc(x.units(2)+pauseFar, func() {})
		if err != nil {
			x.failf("AfterFunc gives the error %q", err)
			return 0, 0
		}
		x.w.Stop(h)
		ended := time.Now()
		for took := ended.Sub(begun); took >= 0; took -= pauseGap {
			all = append(all, took)
		}
		for last := ended; last.Sub(ended) < pauseGap; {
			now := time.Now()
			machine = max(machine, now.Sub(last))
			last = now
		}
	}
	slices.Sort(all)
	return all[(len(all)-1)*999/1000], machine
}
