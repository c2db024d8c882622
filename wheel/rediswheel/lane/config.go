package lane

import (
	"cmp"
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// config contains the parameters of a lane. The time of an event that does not happen is the constant never.
type config struct {
	start wheel.Tick
	nanos int64 // length of a base tick, in ns

	sameBody  bool  // whether all tasks with the same key have the same body; otherwise each task has its own
	removeNow bool  // whether callers pass the current time, not the due time of the task, to publishedScripts.RemoveTask
	zone      int64 // seconds by which the time zone of the programs that add tasks is ahead of UTC; the scanner uses UTC
	// dies is a Unix time in nanoseconds. The first worker that takes tasks at or after this time dies before
	// it runs the callbacks of these tasks. Later workers do not die.
	dies  int64
	fails int64 // Unix time in nanoseconds at which callbacks begin to fail
	mends int64 // Unix time in nanoseconds at which callbacks begin to succeed again
	lease int64 // duration of a lease, in ns
}

// never is the Unix time, in nanoseconds, assigned to an event that does not happen.
const never int64 = 1<<63 - 1

// failing reports whether callbacks fail at the Unix time now, in nanoseconds.
func (c *config) failing(now int64) bool { return c.fails <= now && now < c.mends }

// read converts the parameters p of a lane in the environment s to a config. p must include the default values.
func read(p catalog.Params, s catalog.Env) (config, error) {
	c := config{start: s.Start, nanos: s.TickNanos}
	c.nanos = cmp.Or(c.nanos, nsSecond)
	if c.nanos > nsSecond && c.nanos%nsSecond != 0 {
		return c, fmt.Errorf("redis: a base tick of %d ns is neither a second or less, nor whole seconds", c.nanos)
	}
	c.sameBody = p["body"] == "same"
	c.removeNow = p["remove"] == "now"
	c.zone = p["zone"].(int64) * 3600
	c.dies, c.fails, c.mends = c.instant(p, "dies"), c.instant(p, "fails"), c.instant(p, "mends")
	c.lease = worker.LeaseDefault.Nanoseconds()
	if v, ok := p["lease"].(int64); ok {
		c.lease = max(c.ns(v), worker.LeaseMin.Nanoseconds())
	}
	return c, nil
}

// instant returns the value of the named parameter, a number of ticks after the start of the lane, as a Unix
// time in nanoseconds. It returns the constant never if the parameter is missing or out of range.
func (c *config) instant(p catalog.Params, name string) int64 {
	v, ok := p[name].(int64)
	if !ok || v > nsMax/c.nanos-min(c.start, nsMax/c.nanos) {
		return never
	}
	return c.ns(c.start + v)
}

// newLane returns an empty lane with the parameters p in the environment s.
func newLane(p catalog.Params, s catalog.Env) (wheel.Observable, error) {
	c, err := read(p, s)
	if err != nil {
		return nil, err
	}
	l := &Lane{config: c, now: s.Start, server: &server{}}
	l.server.set(c.ns(s.Start))
	if p["as"] == "corrected" {
		l.rule = newCorrected(l)
	} else {
		l.rule = newPublished(l)
	}
	return l, nil
}
