package sim

import "time"

// What a runner wakes up for.
type wakeKind int

const (
	wakeFrame    wakeKind = iota // the next tick is due, or the next frame may be sent
	wakeRest                     // the cursor has stood still long enough
	wakeProgress                 // the run has perhaps been computed further
	wakeGoal                     // what is sought has perhaps been computed
	wakeSearch                   // a search goes on
	wakeReminder                 // the audience asked for it
	wakeKinds
)

// wakeTimes holds a moment for each reason to wake; the zero time is none.
type wakeTimes [wakeKinds]time.Time

func (w *wakeTimes) set(k wakeKind, at time.Time) { w[k] = at }

func (w *wakeTimes) clear(k wakeKind) { w[k] = time.Time{} }

// take says whether a moment has come, and removes it if so.
func (w *wakeTimes) take(k wakeKind, now time.Time) bool {
	if w[k].IsZero() || w[k].After(now) {
		return false
	}
	w.clear(k)
	return true
}

// sleepMax is how long a runner with nothing to wait for sleeps.
const sleepMax = time.Hour

// wait is how long it is until the first moment; not more than sleepMax, 0 or
// less when it has come.
func (w *wakeTimes) wait(now time.Time) time.Duration {
	least := sleepMax
	for _, at := range w {
		if !at.IsZero() {
			least = min(least, at.Sub(now))
		}
	}
	return least
}
