// Package digest summarises repeated log messages in a few lines.
package digest

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// causesMax is the maximum number of causes that a Digest distinguishes. Incidents of further causes are counted
// together.
const causesMax = 64

// Digest logs incidents and summarises repeated ones, so that a receiver that is down causes few log messages,
// however many tasks it has. Incidents with the same log message, receiver and reason have the same cause. The
// first incident of a cause is logged immediately. Further incidents are counted, and at the end of each interval
// one message reports their number and the details of the last one. A cause is forgotten at the end of an interval
// without further incidents. A Digest is safe for concurrent use.
type Digest struct {
	log   *slog.Logger
	every time.Duration // length of an interval, at the end of which repeated incidents are reported

	mu     sync.Mutex
	causes map[cause]*repeats
	timer  *time.Timer // calls flush at the end of the interval; nil if causes is empty
}

// cause contains what incidents must have in common to be counted together: Incident.Message, Incident.Where, and
// Incident.Reason with its digits masked, because digits such as port numbers differ between connections.
type cause struct{ message, where, reason string }

// repeats contains the number of incidents of a cause since the cause was last logged, and the last of them.
type repeats struct {
	n    int
	last Incident
}

// Incident describes one task that could not be delivered.
type Incident struct {
	Message string // log message
	Where   string // host of the receiver, or name of the handler
	Key     string
	Attempt int
	Reason  string
}

// New returns a Digest that logs to log. The argument every is the length of the intervals at whose ends repeated
// incidents are reported.
func New(log *slog.Logger, every time.Duration) *Digest {
	return &Digest{log: log, every: every, causes: map[cause]*repeats{}}
}

// Note logs incident i if its cause is new, and otherwise counts it for the message at the end of the interval.
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

// flush logs one message for each cause with incidents that were counted since the last flush, and removes all other
// causes. It is called by the timer at the end of an interval, and by Close.
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

// Close logs the incidents that have been counted but not yet logged, and stops the timer.
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

// digitless returns '#' if r is a digit, and r otherwise. It masks the digits of reasons, so that reasons that
// differ only in their digits are counted together.
func digitless(r rune) rune {
	if r >= '0' && r <= '9' {
		return '#'
	}
	return r
}
