//go:build mutants

package wheel

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a deliberate fault: in a file, `was` becomes `is`.
type mutant struct{ name, file, was, is string }

// mutants are faults that hand-written wheels have had, or might have. Each must
// be caught by the tests of this package.
var mutants = []mutant{
	{"a cascade is skipped", "hierarchical_advance.go", "if !w.descend(i, n, l, s) {", "if l > 1 || !w.descend(i, n, l, s) {"},
	{"the coarsest slot comes last", "hierarchical_advance.go", "for i := levels - 1; i >= 0; i-- {", "for i := range levels {"},
	{"hand told for an empty slot", "hierarchical_advance.go", "if here[i] > 0 {", "if w.levels[i].hand*w.levels[i].width == w.clock {"},
	{"a slot is worked last in, first out", "hierarchical_advance.go", "for k := 0; k < here; k++ {", "for k := here - 1; k >= 0; k-- {"},
	{"what comes during a visit is dropped", "hierarchical_advance.go", "settle(&w.arena, index, 0, here)", "settle(&w.arena, index, 0, len(w.slots[index].ids))"},
	{"migration one waits a revolution", "hierarchical_advance.go", "index <= w.levels[to].hand", "index < w.levels[to].hand"},
	{"empty slots passed cost one", "hierarchical_advance.go", "w.cost.Slots += hand - l.hand", "w.cost.Slots++"},
	{"the worst idle tick is a level short", "hierarchical_advance.go", "return int64(i) + 1, (l.hand", "return int64(i), (l.hand"},
	{"the reach is n instead of n−1", "hierarchical_place.go", "index-v.hand < v.n {", "index-v.hand <= v.n {"},
	{"by digits the reach is n instead of n−1", "hierarchical_place.go", "index-w.levels[l].hand >= w.levels[l].n {", "index-w.levels[l].hand > w.levels[l].n {"},
	{"what level 0 fits is within the reach of one slot", "hierarchical_place.go", "top.n == 1 && top.index(e) > top.hand {", "top.n == 0 {"},
	{"a staged timer has the slot of the one before", "hierarchical_stage.go", "	n.slot = noSlot\n", ""},
	{"the bitmap's bit is forgotten", "tower.go", "		v.occ.set(s)\n", ""},
	{"growth is a level short", "hierarchical_place.go", "for e/width-w.clock/width >= n {", "for e/width-w.clock/width > n {"},
	{"digits leave out the next slot", "hierarchical_place.go", "index == w.levels[l].hand; l--", "index <= w.levels[l].hand+1; l--"},
	{"half is rounded down", "hierarchical_place.go", "rest >= v.width-rest", "rest > v.width-rest"},
	{"a copy shares the bitmap", "clone.go", "		c.levels[i].occ = w.levels[i].occ.clone()\n", "		c.levels[i].hand = w.levels[i].hand\n"},
	{"a delay of one revolution is taken", "simple.go", "case j >= w.n:", "case j > w.n:"},
	{"an emptied slot keeps its bit", "simple.go", "		w.occ.clear(s)\n", ""},
	{"the side list waits while slot 0 is empty", "simple.go", "if s == 0 && w.side.live() > 0 &&", "if s == 0 && here > 0 && w.side.live() > 0 &&"},
	{"scans that find nothing cost one", "simple.go", "w.cost.Touched += scans * side", "w.cost.Touched += scans"},
	{"an idle scan is free", "simple.go", "return 1 + int64(w.side.live()), at", "return 1, at"},
	{"the side list waits for its first timer's turn for good", "simple.go", "			w.first = min(w.first, e)\n", ""},
	{"the scan forgets whom it keeps", "simple.go", "w.side.settle(&w.arena, sideSlot, kept, here)", "w.side.settle(&w.arena, sideSlot, 0, here)"},
	{"rounds are j div n", "rounds.go", "rounds := (j - 1) / w.n", "rounds := j / w.n"},
	{"tombstones are not skipped", "rounds.go", "case v.ids[k] == 0:", "case v.ids[k] == ^uint32(0):"},
	{"a visit takes what comes during it", "rounds.go", "for k := 0; k < here; k++ {", "for k := 0; k < len(v.ids); k++ {"},
	{"equal dues are put in front", "sorted.go", "if n.due > at {", "if n.due >= at {"},
	{"the wrong child of a heap", "heap.go", "least := k*w.arity + 1", "least := k*w.arity + 2"},
	{"a gap in a heap is only sifted down", "heap.go", "	if !w.down(k) {\n		w.up(k)\n	}\n", "	w.down(k)\n"},
	{"equal dues of a heap in any order", "heap.go", "a.due < b.due || a.due == b.due && a.order < b.order", "a.due < b.due"},
	{"a generation is not counted", "arena.go", "	n.gen++\n", ""},
	{"a handle's generation is not compared", "arena.go", "n.gen != t.gen || ", ""},
	{"a copy shares the nodes", "clone.go", "append(page, p...)", "map[bool][]node{true: p, false: page}[true]"},
	{"times are one too many", "arena.go", "	if left > 0 {\n		left--\n	}\n", ""},
	{"a due tick is rounded down", "base.go", "	if x > q*u {\n		q++\n	}\n", ""},
	{"a fired timer is not released", "base.go", "	if !b.again(n) {\n		b.arena.release(i, n)\n", "	if !b.again(n) {\n"},
	{"a repeat leaves the ticks", "base.go", "	if n.due > TickMax {\n		return badRange\n	}\n", ""},
	{"a budget spent says it is done", "advance.go", "b.now = k * u\n			return fired, Budget", "b.now = to\n			return fired, Budget"},
	{"a word's bit above is kept", "bitmap.go", "		b.above[w>>6] &^= 1 << (w & 63)\n", ""},
	{"a settled vector forgets positions", "slot.go", "			a.at(s.ids[k]).pos = uint32(kept)\n", ""},
	{"a compacted vector forgets positions", "slot.go", "		a.at(i).pos = uint32(kept)\n", ""},
	{"a compacted vector forgets who is gone", "slot.go", "	s.ids = s.ids[:kept]\n	s.raise()\n}\n\n// settle", "	s.ids = s.ids[:kept]\n	s.dead = 0\n}\n\n// settle"},
	{"a dead entry whose timer lives elsewhere is worked", "slot.go", "n.pos == uint32(k) && n.slot == index && ", ""},
	{"a dead entry whose place was taken anew is worked", "slot.go", "n.pos == uint32(k) && ", ""},
	{"a slot in the queue is offered again", "kafka.go", "if w.waits[v.first+s] == at {", "if at == 0 {"},
	{"a slot that came out is not offered again", "kafka.go", "	w.waits[index] = 0\n", ""},
	{"the clock does not move with a slot", "kafka.go", "	w.clock = b.Due\n", ""},
	{"equal ticks come out in any order", "delay_queue.go", "cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.order, b.order))", "cmp.Compare(a.Due, b.Due)"},
	{"a marked timer is armed", "base.go", "return n != nil && n.state != stateMarked", "return n != nil"},
	{"a marked timer fires", "netty.go", "if n.state != stateMarked && v.rounds[k] <= 0 {", "if v.rounds[k] <= 0 {"},
	{"a marked timer loses a round", "netty.go", "r > 0 && v.ids[k] != 0 && w.arena.at(v.ids[k]).state != stateMarked", "r > 0 && v.ids[k] != 0"},
	{"a past timer goes to its own slot", "netty.go", "n.slot = uint32(max(calc, k) & (w.n - 1))", "n.slot = uint32(calc & (w.n - 1))"},
	{"a linux slot is first in, first out", "linux.go", "for k := here - 1; k >= 0; k-- {", "for k := range here {"},
	{"a linux timer fires in its own slot", "linux.go", "w.levels[l].index(e) + 1", "w.levels[l].index(e)"},
	{"the clock of linux stands", "linux.go", "	w.clk = max(w.clk, w.now)\n", ""},
	{"an empty classic wheel is not caught up", "linux_classic.go", "if w.arena.live == 1 && !w.running {", "if w.running {"},
	{"a classic level cascades too late", "linux_classic.go", "		w.cascade(i, w.levels[i].slotOf(w.levels[i].index(at)))", "		w.cascade(i, w.levels[i].slotOf(w.levels[i].index(at)-1))"},
	{"a digit of tokio is a bit short", "tokio.go", "(bits.Len64(differ) - 1) / tokioBits", "bits.Len64(differ) / tokioBits"},
	{"the least due is lost with another", "list.go", "if w.list.count == 0 || w.soonest > n.due {", "if w.list.count == 0 {"},
	{"a sorted slot turns equals round", "hashed_sorted.go", "if ceilDiv(n.due, w.u) > e {", "if ceilDiv(n.due, w.u) >= e {"},
	{"a delay of the seeds' libraries is a slot short", "position.go", "w.past(w.hand, by), rounds)", "w.past(w.hand, max(by-1, 0)), rounds)"},
	{"a round too few for whole revolutions", "position.go", "circle = length / w.n\n", "circle = max(length-1, 0) / w.n\n"},
	{"a visit stops at the last of those it found", "position_tick.go", "v.p.walksOn() && !last && !w.dead", "v.p.walksOn() && last"},
	{"a dead wheel fires on", "position_tick.go", "	case !w.dead:\n", "	default:\n"},
	{"a round lost in the same visit is not told", "position_tick.go", "		if k >= v.here {\n			v.tellAgain(k)\n		}\n", ""},
	{"lost ticks are forgotten", "position_tick.go", "func (w *positions) shift() Tick { return w.start + w.lost*w.u }", "func (w *positions) shift() Tick { return w.start }"},
	{"a finding at the very bound", "finding.go", "case off > u:", "case off >= u:"},
	{"a first run loses a round for good", "lk668_place.go", "circle > 0 && w.on.has(lk668Revolution)", "circle > 0"},
	{"a whole revolution of a repeat keeps its round", "lk668_place.go", "w.turns(d, u)\n	if by == 0 && circle > 0 {\n		circle--\n	}\n", "w.turns(d, u)\n"},
	{"creation moves the rounds too", "lk668_place.go", " && w.on.has(lk668Created) {", " && w.on == 0 {"},
	{"a slot below 0 is taken from the end", "xiaoxu.go", "return w.fails(0, pos)", "return w.put(i, n, uint32(pos+w.n), 0)"},
	{"a negative job of godis is refused in silence", "godis.go", "		w.after = note{CodeLost, 1, 0}\n", ""},
	{"a copy of lk668 shares the creation times", "lk668.go", "	c.spans = append([]lkSpan(nil), w.spans...)\n", ""},
	{"floor rounds up", "rounding.go", "	if r == roundDown {\n		return x / u\n	}\n", ""},
	{"procinc works its slot a tick early", "rounds.go", "	if c.ProcInc {\n		w.lag = 1\n	}\n", ""},
	{"calendar: the year doubles a timer late", "calendar.go", "w.count > 2*len(w.pages)", "w.count > 2*len(w.pages)+1"},
	{"calendar: the year halves a timer early", "calendar_resize.go", "w.count < n/2-2", "w.count < n/2-1"},
	{"calendar: every gap counts for a day", "calendar_resize.go", "; apart <= (2*total-1)/int64(k-1) {", "; apart <= TickMax {"},
	{"calendar: equal dues of a page in any order", "calendar.go", "w.arena.at(i).due <= e {", "w.arena.at(i).due < e {"},
	{"calendar: a timer of a later year is the next", "calendar.go", "w.arena.at(i).due/w.day == today+ahead {", "w.arena.at(i).due/w.day >= today+ahead {"},
	{"calendar: a sooner timer is not the next", "calendar.go", "w.head == 0 || n.due < w.arena.at(w.head).due {", "w.head == 0 {"},
	{"calendar: told in front of the wrong timer", "calendar_resize.go", "		behind[k] = first[s]\n", ""},
	{"riicarus: due a slot from now waits", "riicarus.go", "n.due <= soon {", "n.due < soon {"},
	{"riicarus: an earlier round waits for a later one", "riicarus.go", "b.latest != 0 && b.latest <= at {", "b.latest != 0 {"},
	{"riicarus: the timestamp is never renewed", "riicarus_advance.go", "	case !w.on.has(riicarusStale):\n", "	case w.dead:\n"},
	{"riicarus: a marked timer fires", "riicarus_advance.go", "	if n.state == stateMarked {\n		if w.log", "	if n.state == stateFree {\n		if w.log"},
	{"riicarus: an entry left behind polls", "riicarus_advance.go", "if q.Due != b.latest {", "if len(b.entries) == 0 {"},
	{"riicarus: equal rounds in any order", "riicarus_bucket.go", "cmp.Or(cmp.Compare(e.round, o.round), cmp.Compare(e.order, o.order))", "cmp.Compare(e.round, o.round)"},
	{"the fold does not resize", "fold_place.go", "	f.levels[k].Slots, f.levels[k].Width = int(e.FromSlot), e.X\n", ""},
	{"the fold takes rounds from all", "fold_place.go", "return !t.Marked && t.Rounds > 0 }", "return !t.Marked && t.Rounds >= 0 }"},
	{"the fold believes any slot", "fold.go", " || t.place.slot != e.FromSlot", ""},
}

// mutantTests are those that must see a mutant; the child runs them on few random
// workloads.
const mutantTests = "TestLane|TestLinux|TestNettyM|TestExact|TestWays|TestBudget|TestIdle|TestFold|TestPast|TestStale|TestBitmap|TestSlot|TestOracle|TestPlacements|TestCorrected|TestMissed|TestPanic|TestLk668|TestCalendar|TestRiicarus|TestProcInc|TestCancelAt|TestStage"

// Every mutant makes the tests fail; a mutation whose text is not found exactly
// once fails too, so that the list follows the code.
func TestMutantsAreCaught(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			out, err := m.test(t)
			switch exit := (*exec.ExitError)(nil); {
			case err == nil:
				t.Errorf("%s: %q for %q is not caught", m.file, m.is, m.was)
			case !errors.As(err, &exit), strings.Contains(out, "[build failed]"):
				t.Errorf("%s did not run: %v\n%s", m.file, err, out)
			}
		})
	}
}

// test runs the tests with the mutant laid over its file.
func (m mutant) test(t *testing.T) (string, error) {
	t.Helper()
	source, err := os.ReadFile(m.file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m.was); n != 1 {
		t.Fatalf("%s: %q stands there %d times, want once", m.file, m.was, n)
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mutated := filepath.Join(dir, m.file)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{mutated: []byte(strings.Replace(string(source), m.was, m.is, 1)), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off", "-failfast",
		"-timeout=30s", "-run", mutantTests, ".", "-rapid.checks=100", "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
