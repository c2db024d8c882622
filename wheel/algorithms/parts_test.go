package algorithms

import (
	"reflect"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// parts is a wheel that is advanced with small budgets, with operations between the calls, and
// the expected state of each of its timers.
type parts struct {
	*rig
	lane    lane
	fold    *wheel.Fold
	budget  int
	target  wheel.Tick
	within  bool                    // Advance has stopped within a tick
	pending map[uint32]*oracleTimer // by key: those that must fire
	dropped int64                   // next runs that the wheel rejected
}

// Operations between the parts of a tick, and copies made there, see a consistent wheel: a timer
// that has not fired can be cancelled and then does not fire, one that has fired can't be
// cancelled, a new one fires when it is due, the events fold to the state, and a copy behaves like
// the wheel.
func TestBudgetPartsOfTicks(t *testing.T) {
	stops := func(l lane) bool { return l.stopsWithinTicks() }
	eachLane(t, stops, func(t *rapid.T, l lane) {
		p := &parts{rig: newRig(t, l, true), lane: l, pending: map[uint32]*oracleTimer{}}
		p.budget = rapid.SampledFrom([]int{1, 2, 3, 7, 20}).Draw(t, "budget")
		p.target = l.start
		start := p.state()
		p.fold = wheel.NewFold(&start)
		sharing := rapid.SliceOfN(rapid.Int64Range(1, 6), 0, 40).Draw(t, "crowd") // timers that share ticks
		for _, d := range sharing {
			p.schedule(t, op{delay: d})
		}
		for _, o := range ops(t) {
			switch o.kind {
			case opSchedule:
				p.schedule(t, o)
			case opCancel:
				p.cancel(t, o)
			case opAdvance:
				if !p.within {
					p.target = max(p.target, p.w.Now()+o.by)
				}
				p.advance(t, p.w, p.budget)
			}
			p.settled(t)
		}
	})
}

// schedule adds a timer to the wheel and to the pending ones.
func (p *parts) schedule(t *rapid.T, o op) {
	s := p.spec(o)
	x := &oracleTimer{key: s.Key, due: s.Due, every: s.Every, left: s.Times, run: 1}
	if x.every == 0 {
		x.left = 1
	}
	due := 0
	for x.left != 0 && p.lane.tickOf(x.due)*p.lane.width() <= p.w.Now() {
		due++
		p.ran(x)
	}
	res := p.do(o, nil)
	if p.lane.isExact() && res.runs != due {
		t.Fatalf("%d runs of %+v at %d, want %d", res.runs, s, p.w.Now(), due)
	}
	if res.err == nil && p.w.Armed(p.handles[s.Key-1]) {
		p.pending[s.Key] = x
	}
}

// ran moves a timer to its next run.
func (p *parts) ran(x *oracleTimer) {
	if x.left > 0 {
		x.left--
	}
	x.due, x.run = x.due+x.every, x.run+1
}

// cancel cancels a timer, which succeeds if the timer must still fire.
func (p *parts) cancel(t *rapid.T, o op) {
	if len(p.handles) == 0 {
		return
	}
	key := uint32(o.pick%len(p.handles) + 1)
	if res, want := p.do(o, nil), p.pending[key] != nil; res.cancelled != want {
		t.Fatalf("cancel of timer %d at %d is %v, want %v", key, p.w.Now(), res.cancelled, want)
	}
	delete(p.pending, key)
}

// advance calls Advance once, and removes the timers that fired from the pending ones.
func (p *parts) advance(t *rapid.T, w wheel.Observable, budget int) {
	fired, status := w.Advance(p.target, nil, budget)
	keys := map[uint32]bool{} // runs that a repeating timer makes up do not count for the budget
	for _, e := range fired {
		keys[e.Key] = true
	}
	if len(keys) > budget {
		t.Fatalf("%d timers fired on a budget of %d", len(keys), budget)
	}
	next, ok := w.Next()
	p.within = status == wheel.Budget && ok && next == w.Now()
	for _, e := range fired {
		x := p.pending[e.Key]
		if x == nil || x.due != e.Due || x.run != e.Run {
			t.Fatalf("%+v fired at %d, pending is %+v", e, w.Now(), x)
		}
		if p.ran(x); x.left == 0 {
			delete(p.pending, e.Key)
		}
	}
	for _, e := range fired {
		if p.pending[e.Key] != nil && !w.Armed(p.handles[e.Key-1]) { // its next run is beyond the range
			delete(p.pending, e.Key)
			p.dropped++
		}
	}
	if !p.lane.isExact() {
		return
	}
	for key, x := range p.pending {
		if at := p.lane.tickOf(x.due) * p.lane.width(); at < w.Now() || at == w.Now() && !p.within {
			t.Fatalf("timer %d, due at %d, has not fired at %d", key, x.due, w.Now())
		}
	}
}

// settled verifies the wheel between two calls.
func (p *parts) settled(t *rapid.T) {
	p.check(t)
	foldAll(t, p.fold, p.rig)
	p.log.Events = nil
	state := p.state()
	if p.w.Len() != len(p.pending) || state.Live != p.w.Len() || state.Counts.Rejected < p.dropped {
		t.Fatalf("%d live and %+v, want %d and %d refused", p.w.Len(), state.Counts, len(p.pending), p.dropped)
	}
	var keys []uint32
	for _, place := range state.Places {
		for _, e := range place.Entries {
			keys = append(keys, e.ID)
		}
	}
	if slices.Sort(keys); len(slices.Compact(keys)) != len(p.pending) {
		t.Fatalf("the state lists %v, want %d timers", keys, len(p.pending))
	}
	if !p.within {
		return
	}
	whole, parted := p.w.Clone(), p.w.Clone()
	if err := parted.Check(); err != nil {
		t.Fatalf("a copy: %v", err)
	}
	want := jump(whole, p.target)
	got := inSlices(parted, p.target)
	if a, b := stateOf(whole), stateOf(parted); !slices.Equal(got, want) || !reflect.DeepEqual(a, b) {
		t.Fatalf("a copy in one call fires\n%v\nanother in parts\n%v\nstates\n%+v\n%+v", want, got, a, b)
	}
}
