package wheeltest

import (
	"slices"
	"testing"
	"time"
)

// parent implements Run and Check: it starts a child process for each property and evaluates the report.
type parent struct {
	t      *testing.T
	config config
	tick   time.Duration // tick of the implementation; 0 until it is known
}

func (x *parent) properties() []Property {
	var all []Property
	for _, p := range Properties() {
		if len(x.config.only) == 0 || slices.Contains(x.config.only, p.Name) {
			all = append(all, p)
		}
	}
	return all
}

// checkProperty checks property p in child processes and returns the result. If the check fails in real time,
// checkProperty repeats it once, because the machine may have paused, unless p.Real is set. If random operations fail,
// checkProperty looks for fewer and simpler operations that still fail (see shrink).
func (x *parent) checkProperty(p Property) Result {
	if why, ok := x.config.skip[p.Name]; ok {
		return Result{Property: p.Name, Rule: p.Rule, Verdict: Absent, Observed: "not claimed: " + why}
	}
	o := order{Property: p.Name, Real: x.config.real || p.Real, Seed: x.config.seed}
	r := x.child(o)
	if r.Verdict == Failed && o.Real && !p.Real { // the machine may have paused at the wrong instant: a real fault fails again
		r = x.child(o)
	}
	if p.ops && bad(r.Verdict) && len(r.Drawn) > 0 {
		r = x.shrink(o, r)
	}
	r.Rule, r.Real = p.Rule, o.Real
	if bad(r.Verdict) && x.config.dir != "" {
		r.File = writeScenario(x.config.dir, p, r.Result, r.Tick)
	}
	return r.Result
}

func bad(v Verdict) bool { return v == Failed || v == Died || v == Hung }

// Limits of the search for fewer operations that still fail (see parent.shrink).
const (
	shrinkRuns = 300              // maximum number of child processes that parent.shrink starts
	shrinkTime = 30 * time.Second // time after which parent.shrink starts no further child process
)

// shrink looks for fewer and simpler operations than r.Drawn with which the check still fails. It returns the report of
// the last such check, or r if there was none. It leaves out sections of the operations, at first half of them, then
// ever shorter ones, and finally rounds delays and times. o contains the instructions for the child processes.
func (x *parent) shrink(o order, r report) report {
	runs, end := 0, time.Now().Add(shrinkTime)
	fails := func(ops []Op) bool {
		if runs++; len(ops) == 0 || runs > shrinkRuns || time.Now().After(end) {
			return false
		}
		o.Ops = ops
		next := x.child(o)
		if bad(next.Verdict) {
			r = next
			r.Drawn = ops
		}
		return bad(next.Verdict)
	}
	for size := len(r.Drawn) / 2; size > 0; size /= 2 {
		for from := 0; from < len(r.Drawn); {
			to := min(from+size, len(r.Drawn))
			if !fails(slices.Concat(r.Drawn[:from], r.Drawn[to:])) {
				from = to
			}
		}
	}
	x.round(r.Drawn, r.Tick, fails)
	return r
}

// round simplifies ops, a list of operations that fail. It rounds each delay down to whole ticks, one
// delay after another, and keeps a change only if the changed operations still fail, which it checks
// by calling the function fails. Finally it tries operations whose times are also rounded down and
// begin at 0.
func (x *parent) round(ops []Op, tick time.Duration, fails func([]Op) bool) {
	if tick <= 0 {
		return
	}
	for k := range ops {
		simpler := slices.Clone(ops)
		simpler[k].Delay = simpler[k].Delay.Truncate(tick)
		if simpler[k] != ops[k] && fails(simpler) {
			ops = simpler
		}
	}
	simpler, first := slices.Clone(ops), ops[0].At.Truncate(tick)
	for k := range simpler {
		simpler[k].At = simpler[k].At.Truncate(tick) - first
	}
	fails(simpler)
}
