//go:build mutants

package algorithms

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a deliberate fault: in a file below wheel, `was` becomes `is`.
type mutant struct{ name, file, was, is string }

// mutants are faults that hand-written wheels have had, or might have. Each must be detected by
// the tests of this package or those of the algorithm.
var mutants = []mutant{
	{"a cascade is skipped", "scheme/hierarchical/advance.go", "if !w.cascade(i, n, l, s) {", "if l > 1 || !w.cascade(i, n, l, s) {"},
	{"the coarsest slot comes last", "scheme/hierarchical/advance.go", "for i := len(w.Levels) - 1; i >= 0; i-- {\n			if l := &w.Levels[i]; l.Hand*l", "for i := range w.Levels {\n			if l := &w.Levels[i]; l.Hand*l"},
	{"hand emitted for an empty slot", "internal/core/visit.go", "if n := len(w.Slots[slot].IDs); n > 0 {", "if n := len(w.Slots[slot].IDs); n >= 0 {"},
	{"a slot is worked last in, first out", "scheme/hierarchical/advance.go", "for k := v.Next; k < end; k++ {", "for k := end - 1; k >= v.Next; k-- {"},
	{"what comes during a visit is dropped", "internal/core/visit.go", "CloseGaps(&b.Arena, v.Slot, 0, end)", "CloseGaps(&b.Arena, v.Slot, 0, len(s.IDs))"},
	{"a slot is compacted while it is visited", "internal/core/levels.go", "if len(w.Visits) > 0 && w.visitOf(slot) != nil {", "if false {"},
	{"timers processed in a part count as live", "internal/core/visit.go", "		s.DeadCount += int(touched)\n", ""},
	{"a part begins at the first entry again", "internal/core/visit.go", "	v.Next = end\n", ""},
	{"a copy forgets the tick under way", "internal/core/clone.go", "append([]Visit(nil), w.Visits...)", "nil"},
	{"the rest of a tick is taken anew", "scheme/hierarchical/advance.go", "if len(w.Visits) == 0 {", "if w.Visits = w.Visits[:0]; true {"},
	{"in the middle of a tick Next is the tick after", "scheme/hierarchical/advance.go", "	if w.Unfinished {\n", "	if w.Unfinished && w.Reached < 0 {\n"},
	{"compaction moves the wrong bit", "internal/core/slot.go", "s.DeadBits[kept>>6] &^= 1 << (kept & 63)", "s.DeadBits[kept>>6] &^= 0"},
	{"migration one waits a revolution", "scheme/hierarchical/advance.go", "index <= w.Levels[to].Hand", "index < w.Levels[to].Hand"},
	{"empty slots passed cost one", "scheme/hierarchical/advance.go", "w.Costs.Slots += hand - l.Hand", "w.Costs.Slots++"},
	{"the worst idle tick is a level short", "scheme/hierarchical/advance.go", "return int64(i) + 1, (l.Hand", "return int64(i), (l.Hand"},
	{"the reach is n instead of n−1", "scheme/hierarchical/place.go", "index-v.Hand < v.N {", "index-v.Hand <= v.N {"},
	{"by digits the reach is n instead of n−1", "scheme/hierarchical/place.go", "index-w.Levels[l].Hand >= w.Levels[l].N {", "index-w.Levels[l].Hand > w.Levels[l].N {"},
	{"what level 0 fits is within the reach of one slot", "scheme/hierarchical/place.go", "top.N == 1 && top.Index(e) > top.Hand {", "top.N == 0 {"},
	{"a staged timer has the slot of the one before", "scheme/hierarchical/stage.go", "	n.Slot = core.NoSlot\n", ""},
	{"the bitmap's bit is forgotten", "internal/core/levels.go", "		v.Occupied.Set(s)\n", ""},
	{"growth is a level short", "scheme/hierarchical/place.go", "for e/width-w.clock/width >= n {", "for e/width-w.clock/width > n {"},
	{"digits leave out the next slot", "scheme/hierarchical/place.go", "index == w.Levels[l].Hand; l--", "index <= w.Levels[l].Hand+1; l--"},
	{"half is rounded down", "scheme/hierarchical/place.go", "rest >= v.Width-rest", "rest > v.Width-rest"},
	{"a copy shares the bitmap", "internal/core/clone.go", "		c.Levels[i].Occupied = w.Levels[i].Occupied.Clone()\n", "		c.Levels[i].Hand = w.Levels[i].Hand\n"},
	{"a delay of one revolution is taken", "scheme/simple/simple.go", "case j >= w.n:", "case j > w.n:"},
	{"an emptied slot keeps its bit", "scheme/simple/simple.go", "		w.occ.Clear(s)\n", ""},
	{"the side list waits while slot 0 is empty", "scheme/simple/simple.go", "if s == 0 && w.side.Live() > 0 &&", "if s == 0 && here > 0 && w.side.Live() > 0 &&"},
	{"scans that find nothing cost one", "scheme/simple/simple.go", "w.Costs.Touched += scans * side", "w.Costs.Touched += scans"},
	{"an idle scan is free", "scheme/simple/simple.go", "return 1 + int64(w.side.Live()), at", "return 1, at"},
	{"the side list waits for its first timer's turn for good", "scheme/simple/simple.go", "			w.first = min(w.first, e)\n", ""},
	{"the scan forgets whom it keeps", "scheme/simple/simple.go", "w.side.CloseGaps(&w.Arena, core.SideSlot, kept, here)", "w.side.CloseGaps(&w.Arena, core.SideSlot, 0, here)"},
	{"rounds are j div n", "scheme/rounds/rounds.go", "rounds := (j - 1) / w.n", "rounds := j / w.n"},
	{"tombstones are not skipped", "scheme/rounds/rounds.go", "case v.IDs[k] == 0:", "case v.IDs[k] == ^uint32(0):"},
	{"a visit takes what comes during it", "scheme/rounds/rounds.go", "for k := 0; k < here; k++ {", "for k := 0; k < len(v.IDs); k++ {"},
	{"equal dues are put in front", "scheme/sorted/sorted.go", "if n.Due > at {", "if n.Due >= at {"},
	{"the wrong child of a heap", "scheme/binheap/binheap.go", "least := k*w.arity + 1", "least := k*w.arity + 2"},
	{"a gap in a heap is only sifted down", "scheme/binheap/binheap.go", "	if !w.down(k) {\n		w.up(k)\n	}\n", "	w.down(k)\n"},
	{"equal dues of a heap in any order", "scheme/binheap/binheap.go", "a.due < b.due || a.due == b.due && a.order < b.order", "a.due < b.due"},
	{"a generation is not counted", "internal/core/arena.go", "	n.Gen++\n", ""},
	{"a handle's generation is not compared", "internal/core/arena.go", "n.Gen != t.Generation() || ", ""},
	{"a copy shares the nodes", "internal/core/clone.go", "append(page, p...)", "map[bool][]Node{true: p, false: page}[true]"},
	{"times are one too many", "internal/core/arena.go", "	if left > 0 {\n		left--\n	}\n", ""},
	{"a due tick is rounded down", "internal/core/base.go", "	if x > q*u {\n		q++\n	}\n", ""},
	{"a fired timer is not released", "internal/core/base.go", "	if !b.again(n) {\n		b.Arena.Release(i, n)\n", "	if !b.again(n) {\n"},
	{"a repeat leaves the ticks", "internal/core/base.go", "	if n.Due > wheel.TickMax {\n		return BadRange\n	}\n", ""},
	{"a budget spent says it is done", "internal/core/advance.go", "b.Reached = k * u\n			return fired, wheel.Budget", "b.Reached = to\n			return fired, wheel.Budget"},
	{"a word's bit above is kept", "internal/core/bitmap.go", "		b.above[w>>6] &^= 1 << (w & 63)\n", ""},
	{"a settled vector forgets positions", "internal/core/slot.go", "			a.At(s.IDs[k]).Pos = uint32(kept)\n", ""},
	{"a compacted vector forgets positions", "internal/core/slot.go", "			a.At(i).Pos = kept\n", ""},
	{"a compacted vector forgets who is gone", "internal/core/slot.go", "		s.DeadBits[word] &= 1<<(kept&63) - 1\n		clear(s.DeadBits[word+1:])\n", "		s.DeadBits[word] &= ^uint64(0)\n"},
	{"a dead entry whose timer lives elsewhere is worked", "internal/core/slot.go", "n.Pos == uint32(k) && n.Slot == index && ", ""},
	{"a dead entry whose place was taken anew is worked", "internal/core/slot.go", "n.Pos == uint32(k) && ", ""},
	{"a slot in the queue is offered again", "system/kafka/kafka.go", "if w.waits[v.First+s] == at {", "if at == 0 {"},
	{"a slot that came out is not offered again", "system/kafka/kafka.go", "	w.waits[index] = 0\n", ""},
	{"the clock does not move with a slot", "system/kafka/kafka.go", "	w.clock = b.Due\n", ""},
	{"equal ticks come out in any order", "internal/core/delay_queue.go", "cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.order, b.order))", "cmp.Compare(a.Due, b.Due)"},
	{"a marked timer is armed", "internal/core/base.go", "return n != nil && n.State != StateMarked", "return n != nil"},
	{"a marked timer fires", "system/netty/netty.go", "if n.State != core.StateMarked && v.Rounds[k] <= 0 {", "if v.Rounds[k] <= 0 {"},
	{"a marked timer loses a round", "system/netty/netty.go", "r > 0 && v.IDs[k] != 0 && w.Arena.At(v.IDs[k]).State != core.StateMarked", "r > 0 && v.IDs[k] != 0"},
	{"a past timer goes to its own slot", "system/netty/netty.go", "n.Slot = uint32(max(calc, k) & (w.n - 1))", "n.Slot = uint32(calc & (w.n - 1))"},
	{"a linux slot is first in, first out", "system/linux/linux.go", "for k := here - 1; k >= 0; k-- {", "for k := range here {"},
	{"a linux timer fires in its own slot", "system/linux/linux.go", "w.Levels[l].Index(e) + 1", "w.Levels[l].Index(e)"},
	{"the clock of linux does not advance", "system/linux/linux.go", "	w.clk = max(w.clk, w.Reached)\n", ""},
	{"an empty classic wheel is not caught up", "system/linux/classic.go", "if w.Arena.Live == 1 && !w.running {", "if w.running {"},
	{"a classic level cascades too late", "system/linux/classic.go", "		w.cascade(i, w.Levels[i].SlotOf(w.Levels[i].Index(at)))", "		w.cascade(i, w.Levels[i].SlotOf(w.Levels[i].Index(at)-1))"},
	{"a digit of tokio is a bit short", "system/tokio/tokio.go", "(bits.Len64(differ) - 1) / tokioBits", "bits.Len64(differ) / tokioBits"},
	{"the least due is lost with another", "scheme/unsorted/unsorted.go", "if w.list.Count == 0 || w.soonest > n.Due {", "if w.list.Count == 0 {"},
	{"a sorted slot turns equals round", "scheme/hashedsorted/hashedsorted.go", "if core.CeilDiv(n.Due, w.u) > e {", "if core.CeilDiv(n.Due, w.u) >= e {"},
	{"a delay of the seeds' libraries is a slot short", "port/internal/ring/ring.go", "w.SlotPast(w.Hand, by), rounds)", "w.SlotPast(w.Hand, max(by-1, 0)), rounds)"},
	{"a round too few for whole revolutions", "port/internal/ring/ring.go", "circle = length / w.N\n", "circle = max(length-1, 0) / w.N\n"},
	{"a visit stops at the last of those it found", "port/internal/ring/tick.go", "v.p.ContinuesVisit() && !last && !w.Halted", "v.p.ContinuesVisit() && last"},
	{"a dead wheel fires on", "port/internal/ring/tick.go", "	case !w.Halted:\n", "	default:\n"},
	{"a round lost in the same visit is not emitted", "port/internal/ring/tick.go", "		if k >= v.here {\n			v.emitAgain(k)\n		}\n", ""},
	{"lost ticks are forgotten", "port/internal/ring/tick.go", "func (w *Ring) Shift() wheel.Tick { return w.start + w.lost*w.U }", "func (w *Ring) Shift() wheel.Tick { return w.start }"},
	{"a finding at the very bound", "internal/core/finding.go", "case off > u:", "case off >= u:"},
	{"a first run loses a round for good", "port/lk668/place.go", "circle > 0 && w.Faults.Has(lk668Revolution)", "circle > 0"},
	{"a whole revolution of a repeat keeps its round", "port/lk668/place.go", "w.Turns(d, u)\n	if by == 0 && circle > 0 {\n		circle--\n	}\n", "w.Turns(d, u)\n"},
	{"creation moves the rounds too", "port/lk668/place.go", " && w.Faults.Has(lk668Created) {", " && w.Faults == 0 {"},
	{"a slot below 0 is taken from the end", "port/xiaoxu/xiaoxu.go", "return w.Fail(0, pos)", "return w.Put(i, n, uint32(pos+w.N), 0)"},
	{"a negative job of godis is refused in silence", "port/godis/godis.go", "		w.Deferred = ring.Note{Code: wheel.CodeLost, Expect: 1, Got: 0}\n", ""},
	{"a copy of lk668 shares the creation times", "port/lk668/lk668.go", "	c.spans = append([]lkSpan(nil), w.spans...)\n", ""},
	{"floor rounds up", "internal/core/rounding.go", "	if r == roundDown {\n		return x / u\n	}\n", ""},
	{"procinc works its slot a tick early", "scheme/rounds/rounds.go", "	if c.ProcInc {\n		w.lag = 1\n	}\n", ""},
	{"calendar: the year doubles a timer late", "scheme/calendar/calendar.go", "w.count > 2*len(w.pages)", "w.count > 2*len(w.pages)+1"},
	{"calendar: the year halves a timer early", "scheme/calendar/resize.go", "w.count < n/2-2", "w.count < n/2-1"},
	{"calendar: every gap counts for a day", "scheme/calendar/resize.go", "; apart <= (2*total-1)/int64(k-1) {", "; apart <= wheel.TickMax {"},
	{"calendar: equal dues of a page in any order", "scheme/calendar/calendar.go", "w.Arena.At(i).Due <= e {", "w.Arena.At(i).Due < e {"},
	{"calendar: a timer of a later year is the next", "scheme/calendar/calendar.go", "w.Arena.At(i).Due/w.day == today+ahead {", "w.Arena.At(i).Due/w.day >= today+ahead {"},
	{"calendar: a sooner timer is not the next", "scheme/calendar/calendar.go", "w.head == 0 || n.Due < w.Arena.At(w.head).Due {", "w.head == 0 {"},
	{"calendar: the event names the wrong timer", "scheme/calendar/resize.go", "		behind[k] = first[s]\n", ""},
	{"riicarus: due a slot from now waits", "port/riicarus/riicarus.go", "n.Due <= soon {", "n.Due < soon {"},
	{"riicarus: an earlier round waits for a later one", "port/riicarus/riicarus.go", "b.latest != 0 && b.latest <= at {", "b.latest != 0 {"},
	{"riicarus: the timestamp is never renewed", "port/riicarus/advance.go", "	case !w.on.Has(riicarusStale):\n", "	case w.Halted:\n"},
	{"riicarus: a marked timer fires", "port/riicarus/advance.go", "	if n.State == core.StateMarked {\n		if w.Log", "	if n.State == core.StateFree {\n		if w.Log"},
	{"riicarus: an entry left behind polls", "port/riicarus/advance.go", "if q.Due != b.latest {", "if len(b.entries) == 0 {"},
	{"riicarus: equal rounds in any order", "port/riicarus/bucket.go", "cmp.Or(cmp.Compare(e.round, o.round), cmp.Compare(e.order, o.order))", "cmp.Compare(e.round, o.round)"},
	{"the fold does not resize", "fold_place.go", "	f.levels[k].Slots, f.levels[k].Width = int(e.FromSlot), e.X\n", ""},
	{"the fold takes rounds from all", "fold_place.go", "return !t.Marked && t.Rounds > 0 }", "return !t.Marked && t.Rounds >= 0 }"},
	{"the fold believes any slot", "fold.go", " || t.place.slot != e.FromSlot", ""},
}

// mutantTests are the tests that must detect a mutant; the child runs them on few random
// workloads.
const mutantTests = "TestLane|TestLinux|TestNettyM|TestExact|TestWays|TestBudget|TestIdle|TestFold|TestPast|TestStale|TestBitmap|TestSlot|TestOracle|TestPlacements|TestCorrected|TestMissed|TestPanic|TestLk668|TestCalendar|TestRiicarus|TestProcInc|TestCancelAt|TestStage"

// Every mutant makes the tests fail. A mutation whose text does not occur exactly once in the
// file is an error too, so that the list stays up to date.
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

// test runs the tests with the mutant overlaid on its file.
func (m mutant) test(t *testing.T) (string, error) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", m.file))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m.was); n != 1 {
		t.Fatalf("%s: %q occurs %d times, want once", m.file, m.was, n)
	}
	original, err := filepath.Abs(filepath.Join("..", m.file))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mutated := filepath.Join(dir, filepath.Base(m.file))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{mutated: []byte(strings.Replace(string(source), m.was, m.is, 1)), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := []string{"test", "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off", "-failfast", "-timeout=30s", "-run", mutantTests}
	random := []string{".", "../internal/core", "-rapid.checks=100", "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s"}
	var all strings.Builder
	for _, args := range [][]string{random, {"../scheme/...", "../system/...", "../port/..."}} {
		out, err := exec.CommandContext(t.Context(), "go", append(flags, args...)...).CombinedOutput()
		all.Write(out)
		if err != nil {
			return all.String(), err
		}
	}
	return all.String(), nil
}
