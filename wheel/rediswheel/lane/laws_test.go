package lane

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// variant is the configuration of a lane for the random tests.
type variant struct {
	name   string
	params catalog.Params
	start  wheel.Tick
	nanos  int64
}

// variants returns both rules with every injected fault, on ticks of several lengths.
func variants() []variant {
	published := func(p catalog.Params) catalog.Params { p["as"] = "published"; return p }
	corrected := func(p catalog.Params) catalog.Params { p["as"] = "corrected"; return p }
	return []variant{
		{"published", published(catalog.Params{}), 57_300, 1e6},
		{"published, one body a key", published(catalog.Params{"body": "same"}), 0, 1e9},
		{"published, removed by the minute of now", published(catalog.Params{"remove": "now"}), 1_695_484_740, 1e9},
		{"published, callers in another zone", published(catalog.Params{"zone": int64(8)}), 50, 1e9},
		{"published, callers west of it", published(catalog.Params{"zone": int64(-5)}), 100_000, 1e9},
		{"published, a worker dies", published(catalog.Params{"dies": int64(40)}), 7, 1e9},
		{"published, callbacks fail", published(catalog.Params{"fails": int64(20), "mends": int64(60)}), 0, 1e9},
		{"published, coarse ticks", published(catalog.Params{}), 3, 4e9},
		{"corrected", corrected(catalog.Params{}), 57_300, 1e6},
		{"corrected, coarse ticks", corrected(catalog.Params{}), 3, 4e9},
		{"corrected, a third of a ms", corrected(catalog.Params{}), 1_000_001, 333_333},
		{"corrected, a worker dies", corrected(catalog.Params{"dies": int64(40), "lease": int64(12)}), 7, 1e9},
		{"corrected, callbacks fail", corrected(catalog.Params{"fails": int64(20), "mends": int64(60)}), 0, 1e9},
		{"corrected, callbacks fail for ever", corrected(catalog.Params{"fails": int64(0)}), 0, 5e9},
	}
}

func (v variant) build(t interface{ Fatalf(string, ...any) }) *Lane {
	w, err := algorithms.NewIn(catalog.Env{Start: v.start, TickNanos: v.nanos}, id, v.params)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return w.(*Lane)
}

// seconds draws a duration of about least to most seconds, in base ticks.
func (v variant) seconds(t *rapid.T, least, most int64, label string) wheel.Tick {
	unit := max(1e9/v.nanos, 1)
	return rapid.Int64Range(least*unit, most*unit).Draw(t, label)
}

// action is one random operation on a lane.
type action struct {
	kind  string
	name  string
	spec  wheel.Spec
	pick  int
	until wheel.Tick
}

// draw returns random actions; there are few keys, so that several actions use the same.
func (v variant) draw(t *rapid.T) (list []action) {
	now := v.start
	for k := range rapid.IntRange(1, 30).Draw(t, "actions") {
		a := action{kind: rapid.SampledFrom([]string{"add", "add", "set", "cancel", "advance", "advance", "stall", "wall"}).Draw(t, "kind")}
		a.name = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
		a.pick = rapid.IntRange(0, 30).Draw(t, "pick")
		a.spec = wheel.Spec{Key: uint32(k + 1), Due: now + v.seconds(t, -3, 140, "delay")}
		if rapid.IntRange(0, 4).Draw(t, "repeats") == 0 {
			a.spec.Every, a.spec.Times = v.seconds(t, 1, 50, "every")+1, rapid.SampledFrom([]int32{-1, 2, 3}).Draw(t, "times")
		}
		if a.kind == "advance" || a.kind == "stall" {
			now += v.seconds(t, 0, 45, "by")
			a.until = now
		}
		if a.kind == "wall" {
			a.until = v.seconds(t, -20, 20, "jump")
		}
		list = append(list, a)
	}
	return append(list, action{kind: "advance", until: now + v.seconds(t, 0, 200, "rest")})
}

// driver runs actions on a lane, and compares the lane after each with the fold of its
// events.
type driver struct {
	lane    *Lane
	log     wheel.Log
	events  []wheel.Event
	fold    *wheel.Fold
	handles []wheel.Timer
	fired   []wheel.Expiry
	wrong   error
}

func newDriver(l *Lane) *driver {
	d := &driver{lane: l}
	d.log.Keep = true
	l.Observe(&d.log)
	var s wheel.State
	l.AppendState(&s, wheel.AllEntries)
	d.fold = wheel.NewFold(&s)
	return d
}

// do runs one action.
func (d *driver) do(a action) {
	l := d.lane
	switch a.kind {
	case "add":
		h, _, _ := l.ScheduleAs(a.name, a.spec)
		d.handles = append(d.handles, h)
	case "set":
		if n := len(d.handles); n > 0 {
			if i, ok := l.find(d.handles[a.pick%n]); ok {
				a.name = l.tasks[i].key
			}
			l.Replace(d.handles[a.pick%n])
		}
		h, _, _ := l.ScheduleAs(a.name, a.spec)
		d.handles = append(d.handles, h)
	case "cancel":
		if n := len(d.handles); n > 0 {
			h := d.handles[a.pick%n]
			if armed, cancelled := l.Armed(h), l.Cancel(h); armed != cancelled {
				d.wrong = fmt.Errorf("armed: %v, cancelled: %v", armed, cancelled)
			}
		}
	case "advance":
		d.fired, _ = l.Advance(a.until, d.fired, 0)
	case "stall":
		d.fired, _ = l.Resume(a.until, d.fired)
	case "wall":
		l.MoveWallClock(a.until)
	}
}

// compareFold returns an error if the lane and the fold of its events differ.
func (d *driver) compareFold() error {
	if d.wrong != nil {
		return d.wrong
	}
	for k := range d.log.Events {
		if err := d.fold.Apply(d.lane.Now(), &d.log.Events[k]); err != nil {
			return err
		}
	}
	if err := checkHandEvents(d.log.Events); err != nil {
		return err
	}
	d.events = append(d.events, d.log.Events...)
	d.log.Events = d.log.Events[:0]
	got, want := d.fold.State(wheel.AllEntries), wheel.State{}
	d.lane.AppendState(&want, wheel.AllEntries)
	got.Counts.Early, got.Counts.Late = 0, 0 // counted by a wheel's driver
	if !got.Equal(&want) {
		return fmt.Errorf("folded\n%+v\nlane\n%+v", got, want)
	}
	return d.lane.Check()
}

func eachVariant(t *testing.T, property func(*rapid.T, variant)) {
	t.Helper()
	for _, v := range variants() {
		t.Run(v.name, rapid.MakeCheck(func(t *rapid.T) { property(t, v) }))
	}
}

// After every action the fold of the events and the keys of the server match the lane's
// state.
func TestFoldAndServerAgree(t *testing.T) {
	eachVariant(t, func(t *rapid.T, v variant) {
		d := newDriver(v.build(t))
		for _, a := range v.draw(t) {
			d.do(a)
			if err := d.compareFold(); err != nil {
				t.Fatalf("after %+v: %v", a, err)
			}
		}
	})
}

// Small steps, jumps, copies taken on the way and a budget all give the same runs, events,
// cost and keys.
func TestEveryWayIsTheSame(t *testing.T) {
	eachVariant(t, func(t *rapid.T, v variant) {
		actions := v.draw(t)
		jumping, other, budgeted := newDriver(v.build(t)), newDriver(v.build(t)), newDriver(v.build(t))
		parts := rapid.IntRange(1, 40).Draw(t, "parts")
		for _, a := range actions {
			jumping.do(a)
			if rapid.IntRange(0, 3).Draw(t, "copy") == 0 {
				copied := other.lane.Clone().(*Lane)
				copied.Observe(&other.log)
				other.lane.Observe(nil)
				other.lane = copied
			}
			if a.kind == "advance" {
				from := other.lane.Now()
				for k := 1; k <= parts; k++ {
					other.do(action{kind: "advance", until: from + (a.until-from)*int64(k)/int64(parts)})
				}
				for s := wheel.Budget; s == wheel.Budget; {
					budgeted.fired, s = budgeted.lane.Advance(a.until, budgeted.fired, 1)
				}
			}
			other.do(a)
			budgeted.do(a)
			for _, d := range []*driver{other, budgeted} {
				if err := sameLane(jumping, d); err != nil {
					t.Fatalf("after %+v: %v", a, err)
				}
			}
		}
	})
}

func sameLane(a, b *driver) error {
	switch {
	case !slices.Equal(a.fired, b.fired):
		return fmt.Errorf("fired %v and %v", a.fired, b.fired)
	case !slices.Equal(a.log.Events, b.log.Events):
		return fmt.Errorf("events %+v\nand %+v", a.log.Events, b.log.Events)
	case a.lane.Cost() != b.lane.Cost():
		return fmt.Errorf("cost %+v and %+v", a.lane.Cost(), b.lane.Cost())
	}
	now := max(a.lane.server.now, b.lane.server.now)
	a.lane.server.set(now)
	b.lane.server.set(now)
	keysA, keysB := keysOf(a.lane), keysOf(b.lane)
	if x, y := fmt.Sprint(keysA), fmt.Sprint(keysB); x != y {
		return fmt.Errorf("keys\n%s\nand\n%s", x, y)
	}
	return nil
}

// Nothing happens before the tick that Next returns.
func TestNextIsNotLate(t *testing.T) {
	eachVariant(t, func(t *rapid.T, v variant) {
		d := newDriver(v.build(t))
		for _, a := range v.draw(t) {
			if a.kind == "advance" {
				next, ok := d.lane.Next()
				quiet := min(a.until, next-1)
				if !ok {
					quiet = a.until
				}
				events := len(d.log.Events)
				d.do(action{kind: "advance", until: quiet})
				if quiet >= v.start && len(d.log.Events) > events {
					t.Fatalf("next is %d, but by %d: %+v", next, quiet, d.log.Events[events:])
				}
			}
			d.do(a)
		}
	})
}

// keysOf returns the keys of a lane's server as of its clock.
func keysOf(l *Lane) []dumped {
	if _, err := l.server.open(); err != nil {
		panic(err)
	}
	return l.server.dump()
}

// checkHandEvents returns an error if two hand events in a row are of the same place, with
// only cascades between them.
func checkHandEvents(events []wheel.Event) error {
	var last wheel.Event
	for _, e := range events {
		switch {
		case e.Kind == wheel.KindHand && last.Kind == wheel.KindHand && e.FromLevel == 0 && last.FromLevel == 0 && e.FromSlot == last.FromSlot:
			return fmt.Errorf("slot %d is visited twice", e.FromSlot)
		case e.Kind == wheel.KindHand:
			last = e
		case e.Kind != wheel.KindCascade:
			last = wheel.Event{}
		}
	}
	return nil
}

// A task with wheel.PlaceKey fires with the index of its handle as its key, also if that
// index is reused.
func TestPlaceKey(t *testing.T) {
	for _, v := range variants() {
		l := v.build(t)
		arm := func(seconds wheel.Tick) wheel.Timer {
			h, _, err := l.Schedule(wheel.Spec{Key: wheel.PlaceKey, Due: v.start + max(seconds*1e9/v.nanos, seconds)})
			if err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
			return h
		}
		l.Cancel(arm(30))
		places := map[uint32]bool{arm(2).Index(): true, arm(3).Index(): true}
		fired, _ := l.Advance(v.start+10*max(1e9/v.nanos, 1), nil, 0)
		if len(places) != 2 {
			t.Errorf("%s: two tasks in one place", v.name)
		}
		for _, e := range fired {
			if !places[e.Key] {
				t.Errorf("%s: %+v is none of %v", v.name, e, places)
			}
		}
		if v.name == "corrected" && len(fired) != 2 {
			t.Errorf("%d of two fired", len(fired))
		}
	}
}
