package cursor

import "time"

// wakeKind is a reason why a runner wakes up.
type wakeKind int

const (
	wakeFrame    wakeKind = iota // show the next frame
	wakeRest                     // report that the cursor has not moved for RestDelay
	wakeProgress                 // report the progress of the first pass
	wakeGoal                     // check whether the destination of a seek has been computed
	wakeSearch                   // continue a search
	wakeReminder                 // call Listener.OnReminder
	wakeKinds
)

// wakeTimes holds the time of the next wake-up for each reason; the zero time means none.
type wakeTimes [wakeKinds]time.Time

func (w *wakeTimes) set(k wakeKind, at time.Time) { w[k] = at }

func (w *wakeTimes) clear(k wakeKind) { w[k] = time.Time{} }

// take reports whether a wake-up for reason k is due at time now. If so, it clears the wake-up time.
func (w *wakeTimes) take(k wakeKind, now time.Time) bool {
	if w[k].IsZero() || w[k].After(now) {
		return false
	}
	w.clear(k)
	return true
}

// sleepMax is the longest time for which a runner sleeps without checking its wake-up times.
const sleepMax = time.Hour

// wait returns the time from now until the earliest wake-up, but at most sleepMax. The result is 0 or
// negative if a wake-up is due.
func (w *wakeTimes) wait(now time.Time) time.Duration {
	least := sleepMax
	for _, at := range w {
		if !at.IsZero() {
			least = min(least, at.Sub(now))
		}
	}
	return least
}
