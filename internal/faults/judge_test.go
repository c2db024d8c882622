//go:build linux

package faults

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Limits that decide which tasks a fault may delay, and which repeated calls are allowed.
const (
	affectedBefore = time.Second            // a task that was due this long before the fault may be delayed or in flight
	affectedAfter  = 2 * time.Second        // a task that is due this long after the fault may be delayed
	ackSlack       = 500 * time.Millisecond // time from the end of a call until Redis has its result
	closeSlack     = 2 * time.Second        // time from a kill until the receiver notices the closed connection
	restMax        = time.Second            // maximum lateness of tasks that the fault did not affect
	recovery       = 2 * time.Second        // delay allowed in addition to the duration of the fault or the lease
)

// evidence is the input of a judgement.
type evidence struct {
	tasks map[string]*task
	calls func(key string) []call
	spans []span
	stops []interruption

	unreplicated []span
}

// verdict is the result for the tasks of a case.
type verdict struct {
	tasks, delivered, refused int
	lost, early, repeated     []string
	excused                   int // number of repeated calls of tasks that were in flight at a kill
	unreplicated              int // number of tasks lost or repeated because a replica had not received a write
	vanished                  int // number of lost tasks among these
	affected, rest            delays
	cut                       map[int]time.Duration // longest delay of affected tasks, by the number of their calls that a kill ended
	latest                    string                // the task with the longest delay
	longest                   time.Duration
}

// delays are the delays of the successful calls of a group of tasks.
type delays []time.Duration

// at returns a quantile.
func (d delays) at(q float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return d[int(q*float64(len(d)-1))]
}

func (d delays) String() string {
	if len(d) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f/%.2f", d.at(0.99).Seconds(), d.at(1).Seconds())
}

// judge compares the calls with the tasks.
func (e *evidence) judge() *verdict {
	v := &verdict{cut: map[int]time.Duration{}}
	for key, t := range e.tasks {
		if t.apart {
			continue
		}
		if t.sent.IsZero() {
			v.refused++
			continue
		}
		v.tasks++
		v.add(e, key, t, e.calls(key))
	}
	slices.Sort(v.affected)
	slices.Sort(v.rest)
	return v
}

// add judges the calls of one task.
func (v *verdict) add(e *evidence, key string, t *task, calls []call) {
	success := slices.IndexFunc(calls, func(c call) bool { return c.ok })
	if success >= 0 {
		v.delivered++
		late := calls[success].at.Sub(later(t.due, t.added))
		if late > v.longest {
			v.longest, v.latest = late, fmt.Sprintf("%s, due %s, called at %s", key, t.due.Format(clock), times(calls))
		}
		if e.affects(t) {
			v.affected = append(v.affected, late)
			n := e.cut(calls[:success])
			v.cut[n] = max(v.cut[n], late)
		} else {
			v.rest = append(v.rest, late)
		}
	} else if within(e.unreplicated, t.added) {
		v.unreplicated++
		v.vanished++
	} else {
		v.lost = append(v.lost, fmt.Sprintf("%s, due %s, was not delivered (%d calls)", key, t.due.Format(clock), len(calls)))
	}
	if len(calls) == 0 {
		return
	}
	if calls[0].at.Before(t.due.Truncate(time.Millisecond)) {
		v.early = append(v.early, fmt.Sprintf("%s was called %v early", key, t.due.Sub(calls[0].at)))
	}
	for i, c := range calls[1:] {
		first := calls[i]
		if !first.ok && !first.end.IsZero() && !first.end.After(c.at) || t.tries > 1 {
			continue // the call failed and is retried
		}
		if e.excuses(first) {
			v.excused++
			continue
		}
		if within(e.unreplicated, first.end) {
			v.unreplicated++
			continue
		}
		v.repeated = append(v.repeated, fmt.Sprintf("%s was called at %s (until %s) and again at %s",
			key, first.at.Format(clock), first.end.Format(clock), c.at.Format(clock)))
	}
}

// times returns the times at which a task was called.
func times(calls []call) string {
	var list []string
	for _, c := range calls {
		result := "failed"
		if c.ok {
			result = "succeeded"
		}
		list = append(list, fmt.Sprintf("%s (%s at %s)", c.at.Format(clock), result, c.end.Format(clock)))
	}
	return strings.Join(list, ", ")
}

const clock = "15:04:05.000"

// affects reports whether a task was due near the time of a fault.
func (e *evidence) affects(t *task) bool {
	return slices.ContainsFunc(e.spans, func(s span) bool {
		after := affectedAfter + s.to.Sub(s.from)/4
		return !t.due.Before(s.from.Add(-affectedBefore)) && !t.due.After(s.to.Add(after))
	})
}

// within reports whether a time is in one of some spans.
func within(spans []span, at time.Time) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return !at.Before(s.from) && !at.After(s.to) })
}

// excuses reports whether a call was in flight when its worker was killed or suspended: it had
// begun, and Redis may not have received its result.
func (e *evidence) excuses(c call) bool {
	return slices.ContainsFunc(e.stops, func(s interruption) bool {
		if c.at.After(s.at.Add(ackSlack)) || !c.end.IsZero() && c.end.Before(s.at.Add(-ackSlack)) {
			return false
		}
		if !s.killed {
			return true
		}
		closed := c.conn.closed.Load()
		return closed == 0 || time.Unix(0, closed).After(s.at.Add(-ackSlack)) && time.Unix(0, closed).Before(s.at.Add(closeSlack))
	})
}

// cut returns how many of the calls were ended by the kill of a worker.
func (e *evidence) cut(calls []call) int {
	n := 0
	for _, c := range calls {
		if !c.ok && e.excuses(c) {
			n++
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// The judge detects each fault, and allows what is excused.
func TestJudge(t *testing.T) {
	t0 := time.Now().Truncate(time.Second)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	closed := func(s float64) *connection {
		c := &connection{}
		c.closed.Store(at(s).UnixNano())
		return c
	}
	good := func(from, to float64, c *connection) call { return call{at(from), at(to), true, c} }
	failed := func(from, to float64, c *connection) call { return call{at(from), at(to), false, c} }
	calls := map[string][]call{
		"prompt":   {good(10.1, 10.2, closed(60))},
		"delayed":  {good(26, 26.1, closed(60))},
		"early":    {good(9.9, 10, closed(60))},
		"failing":  {failed(10, 10.1, closed(60)), good(11, 11.1, closed(60))},
		"failed":   {failed(10, 10.1, closed(60))},
		"repeated": {good(10, 10.1, closed(60)), good(11, 11.1, closed(60))},
		"beside":   {failed(10, 12, closed(60)), good(11, 11.1, closed(60))},
		"killed":   {good(39.9, 40.1, closed(40)), good(45, 45.1, closed(60))},
		"cut":      {failed(24.9, 25, closed(25)), failed(26.9, 27, closed(27)), good(29, 29.1, closed(60))},
		"other":    {good(39.9, 40.1, closed(60)), good(45, 45.1, closed(60))},
		"again":    {good(10, 10.1, closed(60)), good(11, 11.1, closed(60))},
		"failover": {good(50, 50, closed(60)), good(51, 51, closed(60))},
	}
	e := &evidence{calls: func(key string) []call { return calls[key] }, tasks: map[string]*task{"refused": {due: at(10)}, "lost": {due: at(10), sent: at(0)},
		"moved": {due: at(10), sent: at(0), apart: true}},
		spans: []span{{at(20), at(30)}}, stops: []interruption{{at(25), true}, {at(27), true}, {at(40), true}}, unreplicated: []span{{at(49.9), at(50.1)}}}
	for key := range calls {
		e.tasks[key] = &task{due: at(10), sent: at(0), added: at(0), tries: 1}
	}
	e.tasks["delayed"].due = at(19.5)
	e.tasks["again"].tries = 2
	e.tasks["cut"].due = at(24.9)
	e.tasks["failover"].due = at(50)
	e.tasks["unreplicated"] = &task{due: at(51), sent: at(50), added: at(50), tries: 1}
	e.tasks["killed"].due, e.tasks["other"].due = at(39.9), at(39.9)
	v := e.judge()
	got := fmt.Sprint(v.tasks, v.delivered, v.refused, len(v.lost), len(v.early), len(v.repeated), v.excused, v.unreplicated, v.affected, v.rest, v.cut)
	if want := "14 11 1 2 1 3 1 2 4.10/6.50 1.00/1.00 map[0:6.5s 2:4.1s]"; got != want {
		t.Errorf("%s, want %s: %q %q %q", got, want, v.lost, v.early, v.repeated)
	}
}
