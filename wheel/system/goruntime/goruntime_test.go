package goruntime

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"pgregory.net/rapid"
)

// vectorOp is an operation of a vector, and in some of them what runtime/time.go of Go 1.26.8 has afterwards. Null is
// the absence of a tick; Heap is nil if the vector does not list the heap.
type vectorOp struct {
	T, Delay, Period int64
	Op               string
	ID               uint32
	vectorState
}

type vectorState struct {
	Effective   *bool
	Fired       [][2]int64
	Zombies     int
	MinHeap     *int64 `json:"min_heap"`
	MinModified *int64 `json:"min_modified"`
	Len         int
	Cost        [4]int64
	Heap        []json.RawMessage // [id, key, marks, tick at which it fires if the key is stale]
}

// history runs the operations of a vector on a heap, with a fold of its events beside it.
type history struct {
	w       *timers
	log     wheel.Log
	fold    *wheel.Fold
	handles map[uint32]wheel.Timer
	keys    map[uint32]uint32 // ids of the vector by key: a reset gives its timer a new key
	every   map[uint32]int64
	next    uint32
}

func newHistory(t fataler, start wheel.Tick) *history {
	t.Helper()
	w, err := New(start)
	if err != nil {
		t.Fatalf("%v", err)
	}
	h := &history{w: w.(*timers), handles: map[uint32]wheel.Timer{}, keys: map[uint32]uint32{}, every: map[uint32]int64{}}
	h.log.Keep = true
	w.Observe(&h.log)
	h.fold = wheel.NewFold(&wheel.State{Levels: w.Layout().Levels})
	return h
}

// do executes o and returns what Stop or Reset returned, what fired, and the cost.
func (h *history) do(o *vectorOp) (effective bool, fired [][2]int64, cost [4]int64) {
	before := h.w.Cost()
	h.w.SetCallTime(o.T)
	handle := h.handles[o.ID]
	switch o.Op {
	case "add":
		h.every[o.ID] = o.Period
		h.handles[o.ID], _, _ = h.w.Schedule(h.spec(o))
	case "reset":
		effective = h.w.Armed(handle)
		h.handles[o.ID], _, _ = h.w.Reset(handle, h.spec(o))
	case "cancel":
		effective = h.w.Cancel(handle)
	case "advance":
		expiries, _ := h.w.Resume(o.T, nil)
		for _, x := range expiries {
			fired = append(fired, [2]int64{int64(h.keys[x.Key]), x.Due})
		}
	}
	c := h.w.Cost()
	return effective, fired, [4]int64{c.Slots - before.Slots, c.Touched - before.Touched, c.Compared - before.Compared, c.Moved - before.Moved}
}

func (h *history) spec(o *vectorOp) wheel.Spec {
	h.next++
	h.keys[h.next] = o.ID
	s := wheel.Spec{Due: o.T + o.Delay, Key: h.next, Every: h.every[o.ID]}
	if s.Every > 0 {
		s.Times = -1
	}
	return s
}

// check applies the events of an operation to the fold and compares it with the heap.
func (h *history) check(t fataler) {
	t.Helper()
	if err := h.w.Check(); err != nil {
		t.Fatalf("%v", err)
	}
	for k := range h.log.Events {
		if err := h.fold.Apply(h.w.Now(), &h.log.Events[k]); err != nil {
			t.Fatalf("%v\n%+v", err, h.log.Events[k])
		}
	}
	h.log.Events = h.log.Events[:0]
	got, want := h.fold.State(wheel.AllEntries), wheel.State{}
	h.w.AppendState(&want, wheel.AllEntries)
	got.Counts.Early, got.Counts.Late = 0, 0 // counted by the driver
	if !got.Equal(&want) {
		t.Fatalf("folded\n%+v, the heap is\n%+v", got, want)
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// compare compares the heap with the state that the vector has after the operation.
func (h *history) compare(t *testing.T, what string, want *vectorState) {
	t.Helper()
	got := vectorState{Zombies: h.w.zombies, MinHeap: tickOrNull(h.w.minHeap), MinModified: tickOrNull(h.w.minModified), Len: h.w.length}
	if got.Zombies != want.Zombies || !equalTicks(got.MinHeap, want.MinHeap) || !equalTicks(got.MinModified, want.MinModified) || got.Len != want.Len {
		t.Fatalf("%s: %d zombies, first key %d, bound %d, length %d; want %+v", what, h.w.zombies, h.w.minHeap, h.w.minModified, h.w.length, want)
	}
	if want.Heap == nil {
		return
	}
	var heap, wanted []string
	for _, e := range h.w.heap {
		id := h.keys[h.w.Arena.At(e.id).Key]
		switch {
		case e.zombie:
			heap = append(heap, fmt.Sprintf(`[%d,%d,"mz"]`, id, e.key))
		case e.stale:
			heap = append(heap, fmt.Sprintf(`[%d,%d,"m",%d]`, id, e.key, e.when))
		default:
			heap = append(heap, fmt.Sprintf(`[%d,%d]`, id, e.key))
		}
	}
	for _, e := range want.Heap {
		wanted = append(wanted, strings.ReplaceAll(string(e), " ", ""))
	}
	if !slices.Equal(heap, wanted) {
		t.Fatalf("%s: the heap is\n%q, want\n%q", what, heap, wanted)
	}
}

func tickOrNull(at wheel.Tick) *int64 {
	if at == none {
		return nil
	}
	return &at
}

func equalTicks(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// step executes o and compares everything that the vector has about it, if anything.
func (h *history) step(t *testing.T, o *vectorOp, want *vectorState) {
	t.Helper()
	what := fmt.Sprintf("%s of %d at %d", o.Op, o.ID, o.T)
	effective, fired, cost := h.do(o)
	h.check(t)
	if want == nil {
		return
	}
	if want.Effective != nil && effective != *want.Effective {
		t.Fatalf("%s returns %v", what, effective)
	}
	sameTimers := slices.EqualFunc(fired, want.Fired, func(a, b [2]int64) bool { return a[0] == b[0] })
	if !sameTimers || cost != want.Cost {
		t.Fatalf("%s: fired %v, cost %v; want %v, %v", what, fired, cost, want.Fired, want.Cost)
	}
	h.compare(t, what, want)
}

// TestCases runs the short histories, of which the state after the last operation is known.
func TestCases(t *testing.T) {
	var file struct {
		Cases []struct {
			Tag    string
			Start  int64
			Ops    []vectorOp
			Expect vectorState
		}
	}
	readVectors(t, "go.json", &file)
	if len(file.Cases) < 370 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for k, c := range file.Cases {
		t.Run(fmt.Sprint(k, " ", c.Tag), func(t *testing.T) {
			h := newHistory(t, c.Start)
			for i := range c.Ops {
				var want *vectorState
				if i == len(c.Ops)-1 {
					want = &c.Expect
				}
				h.step(t, &c.Ops[i], want)
			}
		})
	}
}

// TestTraces runs the long histories, of which everything is known after every operation, and adds up their costs.
func TestTraces(t *testing.T) {
	var file struct {
		Traces []struct {
			Workload string
			Params   struct{ Start, Until int64 }
			Ops      []vectorOp
			Totals   map[string]int64
		}
	}
	readVectors(t, "go_traces.json", &file)
	if len(file.Traces) != 8 {
		t.Fatalf("%d traces", len(file.Traces))
	}
	for _, c := range file.Traces {
		t.Run(c.Workload, func(t *testing.T) {
			h := newHistory(t, c.Params.Start)
			for i := range c.Ops {
				h.step(t, &c.Ops[i], &c.Ops[i].vectorState)
			}
			got := h.w.Cost()
			if want := (wheel.Cost{Slots: c.Totals["slots"], Touched: c.Totals["touched"], Compared: c.Totals["compared"], Moved: c.Totals["moved"]}); got != want {
				t.Errorf("cost %+v in all, want %+v", got, want)
			}
		})
	}
}

// TestScenes runs the ten scenes, of which the heap is known after every operation.
func TestScenes(t *testing.T) {
	var file struct {
		Scenes []struct {
			Name string
			Ops  []vectorOp
		}
	}
	readVectors(t, "go_scenes.json", &file)
	if len(file.Scenes) != 10 {
		t.Fatalf("%d scenes", len(file.Scenes))
	}
	for _, c := range file.Scenes {
		t.Run(c.Name, func(t *testing.T) {
			h := newHistory(t, 0)
			for i := range c.Ops {
				h.step(t, &c.Ops[i], &c.Ops[i].vectorState)
			}
		})
	}
}

// TestJumpsAndWalksAgree drives two heaps with random operations, resets among them: one tick by tick, the other from
// one Next to the following one. They, their folds and their copies are the same after every operation.
func TestJumpsAndWalksAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, walked := newHistory(t, 0), newHistory(t, 0)
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			o := vectorOp{T: now, Op: rapid.SampledFrom([]string{"add", "add", "cancel", "reset", "reset", "advance"}).Draw(t, "op"),
				ID: uint32(rapid.IntRange(1, 20).Draw(t, "id")), Delay: rapid.Int64Range(-3, 40).Draw(t, "delay")}
			if o.Op == "advance" {
				now += rapid.Int64Range(0, 30).Draw(t, "by")
				jumpTo(h.w, now)
				for walked.w.Now() < now {
					jumpTo(walked.w, walked.w.Now()+1)
				}
			} else {
				if o.Op == "add" {
					o.ID, o.Period = h.next+100, rapid.SampledFrom([]int64{0, 0, 1, 7}).Draw(t, "period")
				}
				h.do(&o)
				walked.do(&o)
				h.w = h.w.Clone().(*timers)
				h.w.Observe(&h.log)
			}
			h.check(t)
			walked.check(t)
			var a, b wheel.State
			h.w.AppendState(&a, wheel.AllEntries)
			walked.w.AppendState(&b, wheel.AllEntries)
			if !a.Equal(&b) || h.w.Cost() != walked.w.Cost() {
				t.Fatalf("jumped to\n%+v, walked to\n%+v", a, b)
			}
		}
	})
}

func jumpTo(w wheel.Observable, to wheel.Tick) { w.Advance(to, nil, 0) }

// TestRunBeyondTheTicks has a timer whose next run would be due after TickMax: the run is rejected, and the timer leaves
// the heap.
func TestRunBeyondTheTicks(t *testing.T) {
	h := newHistory(t, 0)
	h.w.Schedule(wheel.Spec{Due: wheel.TickMax - 1, Key: 1, Every: wheel.TickMax, Times: -1})
	h.w.Schedule(wheel.Spec{Due: wheel.TickMax, Key: 2})
	jumpTo(h.w, wheel.TickMax-1)
	h.check(t)
	if h.w.Len() != 1 || h.w.Counts.Rejected != 1 {
		t.Errorf("%d are left, %d rejected", h.w.Len(), h.w.Counts.Rejected)
	}
}

// TestResetThatIsRejected stops the timer and rejects the new one.
func TestResetThatIsRejected(t *testing.T) {
	h := newHistory(t, 0)
	timer, _, _ := h.w.Schedule(wheel.Spec{Due: 5, Key: 1})
	got, _, err := h.w.Reset(timer, wheel.Spec{Due: wheel.TickMax + 1, Key: 2})
	h.check(t)
	if err != wheel.ErrRange || !got.IsZero() || h.w.Len() != 0 || h.w.zombies != 1 {
		t.Errorf("%v, %v; %d live, %d zombies", got, err, h.w.Len(), h.w.zombies)
	}
}
