package redis

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Bounds of a digest.
const (
	logEvery  = 10 * time.Second // between two lines of one cause
	causesMax = 64               // that are kept apart at a time
)

// digest writes one line for each cause of trouble and interval: the first time at once, then how
// often it came again, with the last example. So a receiver that is down costs a few lines,
// whatever the number of its tasks.
type digest struct {
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
	last incident
}

// incident is one task that could not be delivered.
type incident struct {
	message string
	where   string // the receiver's host, or a handler
	key     string
	attempt int
	reason  string
}

func newDigest(log *slog.Logger, every time.Duration) *digest {
	return &digest{log: log, every: every, causes: map[cause]*repeats{}}
}

// note logs an incident, or counts it.
func (d *digest) note(i incident) {
	if !d.log.Enabled(context.Background(), slog.LevelWarn) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	c := cause{i.message, i.where, strings.Map(digitless, i.reason)}
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
func (d *digest) flush() {
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

// close writes the last counts.
func (d *digest) close() {
	d.flush()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (d *digest) write(i incident, times int) {
	args := []any{"key", i.key, "where", i.where, "attempt", i.attempt, "reason", i.reason}
	if times > 0 {
		args = append(args, "times", times, "within", d.every)
	}
	d.log.Warn(i.message, args...)
}

// digitless replaces a digit.
func digitless(r rune) rune {
	if r >= '0' && r <= '9' {
		return '#'
	}
	return r
}
