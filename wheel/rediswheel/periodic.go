package rediswheel

import (
	"cmp"
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// EveryMin is the minimum of Task.Every.
const EveryMin = time.Second

// Periodic reports whether t is called again and again.
func (t *Task) Periodic() bool { return t.Every != 0 || t.Cron != "" }

// Next returns the first run of a periodic task after a time: that time plus Every, or the next time of Cron. It returns
// the zero time if t is not periodic, Cron is invalid or has no time within five years.
func (t *Task) Next(after time.Time) time.Time {
	if t.Cron == "" {
		if t.Every == 0 {
			return time.Time{}
		}
		return after.Add(t.Every)
	}
	schedule, err := t.schedule()
	if err != nil {
		return time.Time{}
	}
	return schedule.Next(after)
}

func (t *Task) schedule() (cron.Schedule, error) {
	return cron.ParseStandard("CRON_TZ=" + cmp.Or(t.Zone, "UTC") + " " + t.Cron)
}

// NextRun returns the run of a periodic task after one that was due at a time and has ended now. Runs whose time has
// passed are skipped; with t.CatchUp one of them is made up for at once.
func (t *Task) NextRun(due, now time.Time) time.Time {
	next := t.Next(due)
	if next.After(now) {
		return next
	}
	if t.CatchUp && t.Cron != "" {
		return now
	}
	if t.Cron != "" {
		return t.Next(now)
	}
	next = due.Add(now.Sub(due).Truncate(t.Every)) // the last one that was missed
	if t.CatchUp {
		return next
	}
	return next.Add(t.Every)
}

// DeadKey returns the key under which a run of a periodic task that fails for good is kept: KEY@TIME.
func DeadKey(key string, due time.Time) string { return key + due.UTC().Format(engine.RunLayout) }

// checkPeriod returns a one-line error if the fields about periods are invalid.
func (t *Task) checkPeriod() error {
	switch {
	case !t.Periodic() && (t.Zone != "" || t.CatchUp):
		return fmt.Errorf("%w: a time zone or catching up is only for periodic tasks", ErrInput)
	case t.Every != 0 && t.Cron != "":
		return fmt.Errorf("%w: both every and cron given, expected one of them", ErrInput)
	case t.Every != 0 && (t.Every < EveryMin || t.Every > EveryMax || t.Every%time.Millisecond != 0):
		return fmt.Errorf("%w: every: %v, expected whole milliseconds from %v to %v", ErrInput, t.Every, EveryMin, EveryMax)
	case t.Every != 0 && t.Zone != "":
		return fmt.Errorf("%w: a time zone is only for cron", ErrInput)
	case t.Cron == "":
		return nil
	case len(t.Cron) > cronMax || len(t.Zone) > cronMax:
		return fmt.Errorf("%w: cron: longer than %d bytes", ErrInput, cronMax)
	}
	schedule, err := t.schedule()
	if err != nil {
		return fmt.Errorf("%w: cron: %q in %q: %v", ErrInput, t.Cron, cmp.Or(t.Zone, "UTC"), err)
	}
	if schedule.Next(time.Now()).IsZero() {
		return fmt.Errorf("%w: cron: %q never comes", ErrInput, t.Cron)
	}
	return nil
}

// Limits of the fields of a task about periods.
const (
	EveryMax = 10 * 365 * 24 * time.Hour // maximum of Task.Every
	cronMax  = 128                       // maximum number of bytes in Task.Cron, and in Task.Zone
)
