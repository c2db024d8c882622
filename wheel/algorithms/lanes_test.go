package algorithms

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/coretest"
	"github.com/wheelscope/wheelscope/wheel/port"
	"pgregory.net/rapid"
)

// lane is one configuration for the random tests. Geometries are tiny, so that a few operations
// reach overflow, cascade and wrap-around.
type lane struct {
	name   string
	id     string
	params catalog.Params
	start  wheel.Tick
	nanos  int64 // per base tick; 0: a second
	// alone is set if the model of the algorithm is in the algorithm's own package. Tests that need
	// to know the rule skip the lane.
	alone bool
}

// width returns the lane's base ticks per slot.
func (l lane) width() wheel.Tick {
	if u, ok := l.params["width"].(int64); ok {
		return u
	}
	return 1
}

func (l lane) build(t fataler) wheel.Observable {
	t.Helper()
	w, err := NewIn(catalog.Env{Start: l.start, TickNanos: l.nanos}, l.id, l.params)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	return w
}

// fataler is the common interface of *testing.T, *testing.B and *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// rule returns the id of the algorithm whose rule the lane follows: a Kafka wheel without its
// delay queue is a hierarchical one.
func (l lane) rule() string {
	if l.id == "kafka" && l.params["drive"] == "tick" {
		return "hierarchical"
	}
	return l.id
}

// wakes reports whether the lane is driven by a delay queue.
func (l lane) wakes() bool { return l.rule() == "kafka" || l.id == "riicarus" }

// floors reports whether the lane rounds a due tick down to a slot.
func (l lane) floors() bool { return l.params["rounding"] == "floor" || l.params["drive"] == "tick" }

// tickOf returns the wheel tick to which tick x belongs.
func (l lane) tickOf(x wheel.Tick) int64 {
	if u := l.width(); l.floors() {
		return (x - ((x%u)+u)%u) / u
	}
	return ceil(x, l.width())
}

// Helpers shared with the tests in the packages of the algorithms.
var (
	jump     = coretest.Jump
	firesAt  = coretest.FiresAt
	refused  = coretest.Refused
	findings = coretest.Findings
)

// sizes returns the slots of each level, finest first.
func sizes(n ...int64) []int64 { return n }

// lanes lists every algorithm in every variant. An algorithm of the catalogue that has no variant
// here is taken with its defaults and, if it has slots, with few of them.
func lanes() (all []lane) {
	add := func(id string, p catalog.Params) {
		all = append(all, lane{name: laneName(id, p), id: id, params: p})
	}
	for _, n := range []int64{1, 2, 3, 5, 8} {
		add("simple", catalog.Params{"slots": n})
		add("simple", catalog.Params{"slots": n, "overflow": "list"})
		add("rounds", catalog.Params{"slots": n})
		add("rounds", catalog.Params{"slots": n, "variant": "naive"})
	}
	add("simple", catalog.Params{"slots": int64(4), "width": int64(3), "overflow": "list"})
	add("rounds", catalog.Params{"slots": int64(4), "width": int64(3)})
	add("simple", catalog.Params{"slots": int64(4), "width": int64(3), "overflow": "list", "rounding": "floor"})
	add("rounds", catalog.Params{"slots": int64(4), "width": int64(3), "rounding": "floor"})
	add("hierarchical", catalog.Params{"slots": int64(3), "levels": int64(3), "width": int64(4), "rounding": "floor"})
	add("hierarchical", catalog.Params{"slots": int64(2), "width": int64(5), "placement": "digits", "rounding": "floor"})
	for _, n := range []int64{1, 3, 8} {
		add("rounds", catalog.Params{"slots": n, "variant": "procinc"})
		add("rounds", catalog.Params{"slots": n, "width": int64(4), "variant": "procinc"})
	}
	for _, n := range []int64{1, 3, 8} {
		add("hashed-sorted", catalog.Params{"slots": n})
	}
	add("hashed-sorted", catalog.Params{"slots": int64(4), "width": int64(3)})
	add("list", catalog.Params{})
	add("calendar", catalog.Params{})
	add("calendar", catalog.Params{"slots": int64(1), "day": int64(7)})
	add("calendar", catalog.Params{"slots": int64(3), "day": int64(20), "resize": "off"})
	add("tokio", catalog.Params{})
	add("tokio", catalog.Params{"library": "tokio-util"})
	add("kafka", catalog.Params{"slots": int64(2)})
	add("kafka", catalog.Params{"slots": int64(3), "width": int64(4)})
	add("kafka", catalog.Params{"slots": int64(20)})
	add("kafka", catalog.Params{"slots": int64(3), "width": int64(4), "faults": []string{"unlocked"}})
	add("kafka", catalog.Params{"slots": int64(2), "drive": "tick"})
	add("kafka", catalog.Params{"slots": int64(3), "width": int64(4), "drive": "tick"})
	add("netty", catalog.Params{"slots": int64(1)})
	add("netty", catalog.Params{"slots": int64(3), "width": int64(5)})
	add("netty", catalog.Params{"slots": int64(8)})
	add("linux", catalog.Params{})
	add("linux-classic", catalog.Params{})
	add("linux", catalog.Params{"levels": int64(8)})
	all = append(all, seedLanes()...)
	all = append(all, riicarusLanes()...)
	add("sorted", catalog.Params{})
	add("heap", catalog.Params{})
	add("heap", catalog.Params{"arity": int64(4)})
	add("simple", catalog.Params{"slots": int64(256), "overflow": "list"})
	add("rounds", catalog.Params{"slots": int64(512)})
	add("hierarchical", catalog.Params{"slots": int64(64), "levels": int64(4)})
	add("hierarchical", catalog.Params{"slots": []int64{2, 1}}) // a timer that fits level 0 may be beyond the range
	add("hierarchical", catalog.Params{"slots": []int64{3, 2, 1}, "width": int64(3), "migration": "one"})
	add("calendar", catalog.Params{"slots": int64(4096), "day": int64(100)})
	for _, placement := range []string{"distance", "digits"} {
		for _, geometry := range []catalog.Params{
			{"slots": int64(4), "levels": int64(3)},
			{"slots": int64(2), "levels": int64(5)},
			{"slots": int64(3), "levels": int64(2), "width": int64(5)},
			{"slots": sizes(3, 5, 2, 4)},
			{"slots": sizes(1, 4, 1, 3)},
			{"slots": int64(2)},
			{"slots": int64(3), "width": int64(4)},
			{"slots": int64(70), "levels": int64(2)},
		} {
			geometry["placement"] = placement
			add("hierarchical", geometry)
		}
		for _, migration := range []string{"one", "none"} {
			for _, round := range []string{"floor", "ceil", "nearest"} {
				add("hierarchical", catalog.Params{"slots": int64(3), "levels": int64(4),
					"placement": placement, "migration": migration, "round": round})
				add("hierarchical", catalog.Params{"slots": int64(4), "width": int64(2),
					"placement": placement, "migration": migration, "round": round})
			}
		}
	}
	return append(all, lanesAlone(all)...)
}

// lanesAlone returns the lanes of the algorithms that are not in the list.
func lanesAlone(list []lane) (all []lane) {
	for _, a := range Catalogue() {
		if slices.ContainsFunc(list, func(l lane) bool { return l.id == a.ID }) {
			continue
		}
		all = append(all, lane{name: a.ID, id: a.ID, alone: true})
		if slices.ContainsFunc(a.Parameters, func(q catalog.Parameter) bool { return q.Name == "slots" && q.Min <= 3 }) {
			p := catalog.Params{"slots": int64(3)}
			if a.ID == "nats" || a.ID == "agrona" { // they reject all but powers of two
				p["slots"] = int64(4)
			}
			all = append(all, lane{name: laneName(a.ID, p), id: a.ID, params: p, alone: true})
		}
	}
	return all
}

// laneName returns the algorithm with its parameters in order.
func laneName(id string, p catalog.Params) string {
	name := id
	for _, k := range slices.Sorted(maps.Keys(p)) {
		name += fmt.Sprintf(" %s=%v", k, p[k])
	}
	return name
}

// isExact reports whether timers of the lane fire at the end of their wheel tick.
func (l lane) isExact() bool {
	m, _ := l.params["migration"].(string)
	if l.alone || l.id == "linux" || l.id == "linux-classic" || l.wakes() || l.id == "netty" || l.isSeed() {
		return false
	}
	return (l.params["variant"] == nil || l.params["variant"] == "exact") && (m == "" || m == "full")
}

// stopsWithinTicks reports whether the budget can run out in the middle of a tick.
func (l lane) stopsWithinTicks() bool { return l.rule() == "hierarchical" }

// keepsTraces reports whether a cancelled timer leaves something for a later tick: its slot in a
// delay queue, or itself.
func (l lane) keepsTraces() bool {
	return l.wakes() || l.id == "netty" || l.id == "go" || l.id == "nats"
}

// eachLane runs a random property on every lane, from a random start.
func eachLane(t *testing.T, keep func(lane) bool, property func(*rapid.T, lane)) {
	t.Helper()
	for _, l := range lanes() {
		if keep == nil || keep(l) {
			t.Run(l.name, rapid.MakeCheck(func(t *rapid.T) {
				l := l
				l.start = rapid.SampledFrom([]wheel.Tick{0, 7, 1000, 1 << 50}).Draw(t, "start")
				property(t, l)
			}))
		}
	}
}

// op is one random operation.
type op struct {
	kind  opKind
	delay wheel.Tick // of a schedule, from now
	age   wheel.Tick // of a schedule: the time since the creation
	every wheel.Tick // of a schedule
	times int32      // of a schedule
	pick  int        // of a cancel: which key, modulo the number of keys
	by    wheel.Tick // of an advance
}

type opKind uint8

const (
	opSchedule opKind = iota
	opCancel
	opAdvance
)

// ops returns a random workload. Delays are near the powers of small sizes, where levels
// begin.
func ops(t *rapid.T) []op {
	edge := rapid.Custom(func(t *rapid.T) wheel.Tick {
		p := rapid.SampledFrom([]wheel.Tick{4, 8, 9, 15, 16, 27, 30, 32, 64, 70, 81, 120, 4900}).Draw(t, "power")
		return p + rapid.Int64Range(-1, 1).Draw(t, "off")
	})
	delay := rapid.OneOf(rapid.Int64Range(-3, 10), edge, rapid.Int64Range(-10, 300))
	one := rapid.Custom(func(t *rapid.T) op {
		o := op{kind: rapid.SampledFrom([]opKind{opSchedule, opSchedule, opCancel, opAdvance, opAdvance}).Draw(t, "kind")}
		switch o.kind {
		case opSchedule:
			o.delay = delay.Draw(t, "delay")
			if rapid.IntRange(0, 3).Draw(t, "repeats") == 0 {
				o.every = rapid.OneOf(rapid.Int64Range(1, 9), rapid.Int64Range(1, 90)).Draw(t, "every")
				o.times = rapid.SampledFrom([]int32{-1, 1, 2, 3, 9}).Draw(t, "times")
			}
			o.age = rapid.SampledFrom([]wheel.Tick{0, 0, 0, 5, 17, -4}).Draw(t, "age")
		case opCancel:
			o.pick = rapid.IntRange(0, 40).Draw(t, "pick")
		case opAdvance:
			o.by = rapid.OneOf(rapid.Int64Range(0, 4), rapid.Int64Range(0, 100)).Draw(t, "by")
		}
		return o
	})
	return rapid.SliceOfN(one, 1, 40).Draw(t, "ops")
}

// rig drives one wheel and records its handles.
type rig struct {
	w       wheel.Observable
	log     wheel.Log
	handles []wheel.Timer // by key − 1
}

func newRig(t fataler, l lane, observed bool) *rig {
	r := &rig{w: l.build(t)}
	if r.log.Keep = true; observed {
		r.w.Observe(&r.log)
	}
	return r
}

// result is the result of an operation.
type result struct {
	runs      int
	err       error
	cancelled bool
	fired     []wheel.Expiry
}

// do runs one operation; to advance, it calls `advance`.
func (r *rig) do(o op, advance func(w wheel.Observable, to wheel.Tick) []wheel.Expiry) (out result) {
	switch o.kind {
	case opSchedule:
		h, runs, err := r.w.Schedule(r.spec(o))
		r.handles = append(r.handles, h)
		out.runs, out.err = runs, err
	case opCancel:
		if len(r.handles) > 0 {
			out.cancelled = r.w.Cancel(r.handles[o.pick%len(r.handles)])
		}
	case opAdvance:
		out.fired = advance(r.w, r.w.Now()+o.by)
	}
	return out
}

// spec returns the timer that a schedule operation schedules now, and sets its creation time.
func (r *rig) spec(o op) wheel.Spec {
	setCreated(r.w, r.w.Now()-o.age)
	return wheel.Spec{Due: r.w.Now() + o.delay, Key: uint32(len(r.handles) + 1), Every: o.every, Times: o.times}
}

// setCreated sets the tick at which the next timer of w was created, if that makes a difference.
func setCreated(w wheel.Wheel, at wheel.Tick) {
	if c, ok := w.(port.CreationSetter); ok {
		c.SetCreated(at)
	}
}

// state returns the whole observable state of the wheel.
func (r *rig) state() (s wheel.State) {
	r.w.AppendState(&s, wheel.AllEntries)
	return s
}

// check fails the test if an invariant of the wheel is violated.
func (r *rig) check(t fataler) {
	t.Helper()
	if err := r.w.Check(); err != nil {
		t.Fatalf("%v\nstate %+v", err, r.state())
	}
}

// tickByTick advances one base tick at a time.
func tickByTick(w wheel.Observable, to wheel.Tick) (fired []wheel.Expiry) {
	fired, _ = w.Advance(w.Now(), nil, 0) // timers scheduled for the past
	for t := w.Now() + 1; t <= to; t++ {
		fired, _ = w.Advance(t, fired, 0)
	}
	return fired
}

// nextByNext advances from one Next to the following one, as a driver does.
func nextByNext(w wheel.Observable, to wheel.Tick) (fired []wheel.Expiry) {
	for t, ok := w.Next(); ok && t <= to; t, ok = w.Next() {
		fired, _ = w.Advance(t, fired, 0)
	}
	fired, _ = w.Advance(to, fired, 0)
	return fired
}

// inSlices advances with a budget of one until it is done.
func inSlices(w wheel.Observable, to wheel.Tick) (fired []wheel.Expiry) {
	for status := wheel.Budget; status == wheel.Budget; {
		fired, status = w.Advance(to, fired, 1)
	}
	return fired
}
