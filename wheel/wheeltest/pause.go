package wheeltest

import (
	"slices"
	"time"
)

// Parameters of the property "pauses".
const (
	pauseTimers = 1 << 20                // due at one instant, if they can be scheduled in pauseLead
	pauseLead   = time.Second            // for scheduling them
	pauseEve    = 20 * time.Millisecond  // from the first sample to that instant
	pauseGap    = 10 * time.Microsecond  // between two samples
	pauseMax    = 15 * time.Millisecond  // how long the slowest of a thousand samples may take
	pauseRounds = 5                      // the machine may pause too: one round has to succeed
	pauseOver   = 3 * time.Second        // when a round ends although not all timers have fired
	pauseFar    = 500 * time.Millisecond // delay of the timer that is scheduled and stopped
)

// pauses checks that scheduling and stopping a timer takes at most pauseMax while very many others
// fire. A library that holds a lock while it processes a tick takes longer in every round.
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

// storm schedules very many timers for one instant and returns that instant, and a function that
// reports whether all have fired.
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

// pausesOf schedules and stops a timer every pauseGap, from shortly before due until over returns
// true. It returns the 99.9th percentile of how long this takes. It also returns the longest time
// between two consecutive clock reads of the goroutine, during which the machine ran something
// else. A caller that arrives while another is blocked would be blocked too, so a long sample is
// counted again with pauseGap less, and so on.
func (x *checker) pausesOf(due time.Time, over func() bool) (p, machine time.Duration) {
	time.Sleep(time.Until(due) - pauseEve)
	var all []time.Duration
	for end := due.Add(x.units(2) + pauseOver); !over() && time.Now().Before(end); {
		begun := time.Now()
		h, err := x.w.AfterFunc(x.units(2)+pauseFar, func() {})
		if err != nil {
			x.failf("AfterFunc gives the error %q", err)
			return 0, 0
		}
		x.w.Stop(h)
		ended := time.Now()
		for took := ended.Sub(begun); took > 0; took -= pauseGap {
			all = append(all, took)
		}
		for last := ended; last.Sub(ended) < pauseGap; {
			now := time.Now()
			machine = max(machine, now.Sub(last))
			last = now
		}
	}
	if len(all) == 0 {
		return 0, machine
	}
	slices.Sort(all)
	return all[(len(all)-1)*999/1000], machine
}
