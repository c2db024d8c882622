package cursor

import "time"

// wakeKind is a reason for a runner to wake up.
type wakeKind int

const (
	wakeFrame    wakeKind = iota // the next tick is due, or the next frame may be sent
	wakeRest                     // the cursor has not moved for RestDelay
	wakeProgress                 // report how far the run is computed
	wakeGoal                     // to check whether the destination of a seek is computed
	wakeSearch                   // continue a search
	wakeReminder                 // set by Remind
	wakeKinds
)

// wakeTimes holds the time of the next wake-up for each reason, or the zero time for none.
type wakeTimes [wakeKinds]time.Time

func (w *wakeTimes) set(k wakeKind, at time.Time) { w[k] = at }

func (w *wakeTimes) clear(k wakeKind) { w[k] = time.Time{} }

// take reports whether the wake-up time for k has passed at the time now. If so, it clears the
// time.
func (w *wakeTimes) take(k wakeKind, now time.Time) bool {
	if w[k].IsZero() || w[k].After(now) {
		return false
	}
	w.clear(k)
	return true
}

// sleepMax is the longest time that a runner sleeps at once.
const sleepMax = time.Hour

// wait returns the time from now until the earliest wake-up, at most sleepMax. It is 0 or negative
// if that time has passed.
func (w *wakeTimes) wait(now time.Time) time.Duration {
	least := sleepMax
	for _, at := range w {
		if !at.IsZero() {
			least = min(least, at.Sub(now))
		}
	}
	return least
}
