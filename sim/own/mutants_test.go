package own

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// Wheels with one mistake each, which a parameter selects. "" is the right wheel.

// roundsBugs are the mistakes of newRounds.
var roundsBugs = []string{
	"rounds one too many", "rounds by revolutions of the clock", "no rounds", "rounds not counted down", "rounds count down twice in a jump",
	"slot one too high", "slot of the delay", "slot wraps one early",
	"cancel leaves it", "cancel always true", "cancel always false", "cancel removes the next", "cancel finds only the first", "cancel true after expiry",
	"jump visits the last slot", "jump visits one revolution", "jump fires by slot", "removal skips the next", "key 0 is none", "slot holds four", "schedule at the hand is lost",
}

type entry struct{ key, due, rounds int64 }

type rounds struct {
	bug   string
	now   int64
	slots [][]entry
	where map[int64]int64
}

func newRounds(bug string) New {
	return func(start int64, p Params) Wheel {
		return &rounds{bug: bug, now: start, slots: make([][]entry, p.Slots), where: map[int64]int64{}}
	}
}

func (w *rounds) Schedule(key, due int64) bool {
	n := int64(len(w.slots))
	slot, left := due%n, (due-w.now-1)/n
	switch w.bug {
	case "rounds one too many":
		left = (due - w.now) / n
	case "rounds by revolutions of the clock":
		left = due/n - w.now/n
	case "no rounds":
		left = 0
	case "slot one too high":
		slot = (due + 1) % n
	case "slot of the delay":
		slot = (due - w.now) % n
	case "slot wraps one early":
		slot = due % (n - 1)
	case "key 0 is none":
		if key == 0 {
			return true
		}
	case "slot holds four":
		if len(w.slots[slot]) == 4 {
			return true
		}
	case "schedule at the hand is lost":
		if slot == w.now%n {
			return true
		}
	}
	w.slots[slot] = append(w.slots[slot], entry{key, due, left})
	w.where[key] = slot
	return true
}

func (w *rounds) Cancel(key int64) bool {
	slot, ok := w.where[key]
	if w.bug == "cancel always true" {
		ok = ok || true
	}
	if w.bug == "cancel leaves it" {
		return ok
	}
	delete(w.where, key)
	list := w.slots[slot]
	i := slices.IndexFunc(list, func(e entry) bool { return e.key == key })
	switch {
	case w.bug == "cancel removes the next" && i >= 0 && i+1 < len(list):
		i++
	case w.bug == "cancel finds only the first" && i > 0:
		return false
	}
	if i >= 0 {
		w.slots[slot] = slices.Delete(list, i, i+1)
	}
	return ok && w.bug != "cancel always false"
}

func (w *rounds) Advance(to int64) (fired []int64) {
	n := int64(len(w.slots))
	switch {
	case w.bug == "jump visits the last slot":
		w.now = to - 1
	case w.bug == "jump visits one revolution":
		w.now = max(w.now, to-n)
	}
	if w.bug == "jump fires by slot" && to-w.now > 1 {
		var all []entry
		for slot := range w.slots {
			for _, e := range w.slots[slot] {
				if e.due <= to {
					all = append(all, e)
				}
			}
		}
		for _, e := range all {
			fired = append(fired, e.key)
			delete(w.where, e.key)
		}
		for slot := range w.slots {
			w.slots[slot] = slices.DeleteFunc(w.slots[slot], func(e entry) bool { return e.due <= to })
			for i := range w.slots[slot] {
				w.slots[slot][i].rounds = (w.slots[slot][i].due - to - 1) / n
			}
		}
		w.now = to
		return fired
	}
	far := to-w.now > n
	for w.now < to {
		w.now++
		slot := w.now % n
		for i := 0; i < len(w.slots[slot]); i++ {
			e := &w.slots[slot][i]
			if e.rounds > 0 {
				if w.bug != "rounds not counted down" {
					e.rounds--
				}
				if w.bug == "rounds count down twice in a jump" && far && e.rounds > 0 {
					e.rounds--
				}
				continue
			}
			fired = append(fired, e.key)
			if w.bug != "cancel true after expiry" {
				delete(w.where, e.key)
			}
			w.slots[slot] = slices.Delete(w.slots[slot], i, i+1)
			if w.bug != "removal skips the next" {
				i--
			}
		}
	}
	return fired
}

// minimumBugs are the mistakes of newMinimum.
var minimumBugs = []string{"later hides earlier", "stale minimum", "key of the removed", "order of scheduling"}

// minimum is a table of timers that only looks at it when the earliest is due.
type minimum struct {
	bug  string
	now  int64
	list []entry
	next int64 // the earliest due tick
}

func newMinimum(bug string) New {
	return func(start int64, _ Params) Wheel { return &minimum{bug: bug, now: start, next: math.MaxInt64} }
}

func (w *minimum) Schedule(key, due int64) bool {
	w.list = append(w.list, entry{key: key, due: due})
	if due < w.next || w.bug == "later hides earlier" {
		w.next = due
	}
	return true
}

func (w *minimum) Cancel(key int64) bool {
	i := slices.IndexFunc(w.list, func(e entry) bool { return e.key == key })
	if i < 0 {
		return false
	}
	w.list = slices.Delete(w.list, i, i+1)
	if w.bug != "stale minimum" {
		w.renew()
	}
	return true
}

// renew finds the earliest due tick anew.
func (w *minimum) renew() {
	w.next = math.MaxInt64
	for _, e := range w.list {
		w.next = min(w.next, e.due)
	}
}

func (w *minimum) Advance(to int64) (fired []int64) {
	w.now = to
	if to < w.next {
		return nil
	}
	if w.bug == "stale minimum" && !slices.ContainsFunc(w.list, func(e entry) bool { return e.due == w.next }) {
		w.next = math.MaxInt64 // nobody looks again until the next timer
		return nil
	}
	if w.bug != "order of scheduling" {
		slices.SortStableFunc(w.list, func(a, b entry) int { return cmp.Compare(a.due, b.due) })
	}
	for i := 0; i < len(w.list); i++ {
		if w.list[i].due > to {
			continue
		}
		key := w.list[i].key
		w.list = slices.Delete(w.list, i, i+1)
		if w.bug == "key of the removed" && i < len(w.list) {
			key = w.list[i].key
		}
		fired = append(fired, key)
		i--
	}
	w.renew()
	return fired
}

// levelBugs are the mistakes of newLevels.
var levelBugs = []string{
	"level boundary inclusive", "second level never cascades", "cascade after the visit", "cascade fires", "cascade by the delay at first",
	"overflow fires in the last slot", "overflow is dropped", "cancel after a cascade fails", "jump misses cascades", "cascade one tick late",
	"upper slot one too high", "mask instead of modulo", "cascade in reverse forgets the last",
	"equal due ticks overwrite", "a full slot wraps", "reset keeps the old", "due at the boundary fires late",
}

type levels struct {
	bug    string
	now    int64
	n      int64
	slots  []map[int64][]entry // by level
	where  map[int64]int       // level of a key
	width  []int64
	beyond []entry
}

func newLevels(bug string) New {
	return func(start int64, p Params) Wheel {
		w := &levels{bug: bug, now: start, n: int64(p.Slots), where: map[int64]int{}}
		for l, width := 0, int64(1); l < p.Levels; l, width = l+1, width*w.n {
			w.slots, w.width = append(w.slots, map[int64][]entry{}), append(w.width, width)
		}
		return w
	}
}

// put places e, by the digits in which its due tick and now differ.
func (w *levels) put(e entry) {
	level := 0
	for level < len(w.width) && e.due/(w.width[level]*w.n) != w.now/(w.width[level]*w.n) {
		level++
	}
	switch {
	case w.bug == "level boundary inclusive" && level > 0 && level <= len(w.width) && e.due-w.now == w.width[level-1]*w.n:
		level--
	case w.bug == "by delay":
		level = 0
		for level < len(w.width) && e.due-w.now >= w.width[level]*w.n {
			level++
		}
	case w.bug == "due at the boundary fires late" && level > 0 && e.due%w.n == 0:
		e.due++
	}
	if level == len(w.width) {
		switch w.bug {
		case "overflow is dropped":
			return
		case "overflow fires in the last slot":
			top := w.width[level-1]
			e.due = (w.now/(top*w.n)+1)*top*w.n - 1
			w.put(e)
			return
		case "overflow in the top level":
			level--
		default:
			w.where[e.key] = level
			w.beyond = append(w.beyond, e)
			return
		}
	}
	slot := e.due / w.width[level] % w.n
	if w.bug == "upper slot one too high" && level > 0 {
		slot = (slot + 1) % w.n
	}
	if w.bug == "mask instead of modulo" {
		slot = e.due / w.width[level] & (w.n - 2)
	}
	list := w.slots[level][slot]
	switch {
	case w.bug == "equal due ticks overwrite" && len(list) > 0 && list[len(list)-1].due == e.due:
		list = list[:len(list)-1]
	case w.bug == "a full slot wraps" && len(list) == 6:
		list = list[1:]
	}
	w.slots[level][slot] = append(list, e)
	w.where[e.key] = level
}

func (w *levels) Schedule(key, due int64) bool {
	if w.bug == "reset keeps the old" {
		if _, again := w.where[key]; again {
			return true
		}
	}
	w.put(entry{key: key, due: due, rounds: w.now})
	return true
}

func (w *levels) Cancel(key int64) bool {
	level, ok := w.where[key]
	if !ok {
		return false
	}
	if w.bug == "reset keeps the old" {
		w.remove(level, key)
		return true
	}
	delete(w.where, key)
	return w.remove(level, key)
}

// remove removes key from a level, or from those beyond.
func (w *levels) remove(level int, key int64) bool {
	is := func(e entry) bool { return e.key == key }
	if level == len(w.width) {
		n := len(w.beyond)
		w.beyond = slices.DeleteFunc(w.beyond, is)
		return len(w.beyond) < n
	}
	for slot, list := range w.slots[level] {
		if i := slices.IndexFunc(list, is); i >= 0 {
			w.slots[level][slot] = slices.Delete(list, i, i+1)
			return true
		}
	}
	return false
}

func (w *levels) Advance(to int64) (fired []int64) {
	for from := w.now; w.now < to; {
		w.now++
		if w.bug == "cascade after the visit" {
			fired = w.cascade(w.visit(fired))
			continue
		}
		if w.bug != "jump misses cascades" || w.now == to || to == from+1 {
			fired = w.cascade(fired)
		}
		fired = w.visit(fired)
	}
	return fired
}

func (w *levels) cascade(fired []int64) []int64 {
	now := w.now
	if w.bug == "cascade one tick late" {
		now--
	}
	top := len(w.width) - 1
	if now%(w.width[top]*w.n) == 0 {
		list := w.beyond
		w.beyond = nil
		for _, e := range list {
			w.put(e)
		}
	}
	for level := top; level > 0; level-- {
		if now%w.width[level] != 0 || w.bug == "second level never cascades" && level == 2 {
			continue
		}
		slot := now / w.width[level] % w.n
		list := w.slots[level][slot]
		delete(w.slots[level], slot)
		if w.bug == "cascade in reverse forgets the last" && len(list) > 2 {
			list = list[:len(list)-1]
		}
		for _, e := range list {
			switch w.bug {
			case "cascade fires":
				fired = append(fired, e.key)
				delete(w.where, e.key)
				continue
			case "cascade by the delay at first":
				e.due = max(e.due, w.now+(e.due-e.rounds)%w.width[level])
			}
			old := w.where[e.key]
			w.put(e)
			if w.bug == "cancel after a cascade fails" {
				w.where[e.key] = old
			}
		}
	}
	return fired
}

func (w *levels) visit(fired []int64) []int64 {
	slot := w.now % w.n
	for _, e := range w.slots[0][slot] {
		fired = append(fired, e.key)
		delete(w.where, e.key)
	}
	delete(w.slots[0], slot)
	return fired
}

// rounding returns right wheels that round due ticks up to multiples of n.
func rounding(n int64) New {
	return func(start int64, p Params) Wheel {
		return roundUp{newRounds("")(start, p), n}
	}
}

type roundUp struct {
	Wheel
	n int64
}

func (w roundUp) Schedule(key, due int64) bool {
	return w.Wheel.Schedule(key, (due+w.n-1)/w.n*w.n)
}

// ranged returns wheels that reject delays above the range.
func ranged(limit int64) New {
	return func(start int64, p Params) Wheel {
		w := newRounds("")(start, p).(*rounds)
		return &short{w, limit}
	}
}

type short struct {
	*rounds
	limit int64
}

func (w *short) Schedule(key, due int64) bool {
	return due-w.now <= w.limit && w.rounds.Schedule(key, due)
}

// No right wheel is said to be wrong, whatever its parameters.
func TestNoFalseAlarm(t *testing.T) {
	for name, w := range map[string]struct {
		create New
		o      Options
	}{
		"list": {newList, Options{}}, "rounds": {newRounds(""), Options{}}, "levels": {newLevels(""), Options{}},
		"levels by delay": {newLevels("by delay"), Options{}}, "overflow in the top level": {newLevels("overflow in the top level"), Options{}}, "minimum": {newMinimum(""), Options{}},
		"rounding": {rounding(4), Options{Late: 3}}, "ranged": {ranged(7), Options{Range: 7}},
		"64 slots": {newLevels(""), Options{Params: Params{Slots: 64, Levels: 2}}}, "odd": {newRounds(""), Options{Params: Params{Slots: 7}}},
	} {
		w.o.Runs = testkit.Pick(100, 10_000) // 10,000: more than 10 million calls of all wheels
		r, err := Try(context.Background(), w.create, w.o)
		if err != nil {
			t.Fatal(err)
		}
		if g := r.First(); g != nil {
			t.Errorf("%s: %v", name, g)
		}
	}
}

// Every mistake is found, and nearly every counterexample has at most 12 operations.
func TestMutants(t *testing.T) {
	short, all := 0, 0
	examine := func(name string, create New, o Options) {
		all++
		began := time.Now()
		r, err := Try(context.Background(), create, o)
		if err != nil {
			t.Fatal(err)
		}
		g := r.First()
		if g == nil {
			t.Errorf("%s: not found", name)
			return
		}
		if testing.Verbose() {
			fmt.Printf("%-60s %2d ops %8v  %s\n", name, len(g.Shrunk.Ops), time.Since(began).Round(time.Millisecond), g.Fault.Text)
		}
		if len(g.Shrunk.Ops) <= 12 {
			short++
		}
		again := run(create, o.withDefaults(), g.Shrunk, nil)
		if !reflect.DeepEqual(again, g.Fault) {
			t.Errorf("%s: the shrunk case gives %v, want %v", name, again, g.Fault)
		}
	}
	for _, bug := range roundsBugs {
		examine("rounds: "+bug, newRounds(bug), Options{})
	}
	for _, bug := range minimumBugs {
		examine("minimum: "+bug, newMinimum(bug), Options{})
	}
	for _, bug := range levelBugs {
		o := Options{}
		if bug == "mask instead of modulo" {
			o.Slots = 6
		}
		examine("levels: "+bug, newLevels(bug), o)
	}
	for _, f := range publicFaults {
		examine(f.where+": "+f.what, f.create, Options{})
	}
	examine("rounds up by 4, 2 allowed", rounding(4), Options{Late: 2})
	examine("rejects 8, the range is 8", ranged(7), Options{Range: 8})
	if len(publicFaults) != 9 {
		t.Errorf("%d public faults", len(publicFaults))
	}
	if short*100 < all*95 {
		t.Errorf("%d of %d counterexamples have at most 12 operations", short, all)
	}
}
