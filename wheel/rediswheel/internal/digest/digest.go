// Package digest logs repeated trouble in few lines.
package digest

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// causesMax is the number of causes that a digest keeps apart at a time.
const causesMax = 64

// Digest writes one line for each cause of trouble and interval: the first time at once, then how
// often it came again, with the last example. So a receiver that is down costs a few lines,
// whatever the number of its tasks.
type Digest struct {
	log   *slog.Logger
	every time.Duration

	mu     sync.Mutex
	causes map[cause]*repeats
	timer  *time.Timer // runs while there are causes
}

// cause is what a line is about: how it ended, where, and why, without its numbers, which
// differ from one connection to the next.
type cause struct{ message, where, reason string }

// repeats is what came since the last line of a cause.
type repeats struct {
	n    int
	last Incident
}

// Incident is one task that could not be delivered.
type Incident struct {
	Message string // of the line
	Where   string // the receiver's host, or a handler
	Key     string
	Attempt int
	Reason  string
}

// New returns a digest that writes a line for each cause at once and then at most one per interval. It may
// be used by several goroutines.
func New(log *slog.Logger, every time.Duration) *Digest {
	return &Digest{log: log, every: every, causes: map[cause]*repeats{}}
}

// Note logs an incident, or counts it.
func (d *Digest) Note(i Incident) {
	if !d.log.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	c := cause{i.Message, i.Where, strings.Map(digitless, i.Reason)}
	r := d.causes[c]
	if r == nil && len(d.causes) >= causesMax {
		c = cause{message: "more causes than are kept apart"}
		r = d.causes[c]
	}
	if r != nil {
		r.n++
		r.last = i
		return
	}
	d.causes[c] = &repeats{}
	d.write(i, 0)
	if d.timer == nil {
		d.timer = time.AfterFunc(d.every, d.flush)
	}
}

// flush writes what has come since the last time, and forgets causes that did not come again.
func (d *Digest) flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for c, r := range d.causes {
		if r.n == 0 {
			delete(d.causes, c)
			continue
		}
		d.write(r.last, r.n)
		r.n = 0
	}
	if d.timer = nil; len(d.causes) > 0 {
		d.timer = time.AfterFunc(d.every, d.flush)
	}
}

// Close writes the last counts.
func (d *Digest) Close() {
	d.flush()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (d *Digest) write(i Incident, times int) {
	args := []any{"key", i.Key, "where", i.Where, "attempt", i.Attempt, "reason", i.Reason}
	if times > 0 {
		args = append(args, "times", times, "within", d.every)
	}
	d.log.Warn(i.Message, args...)
}

// digitless replaces a digit.
func digitless(r rune) rune {
	if r >= '0' && r <= '9' {
		return '#'
	}
	return r
}
