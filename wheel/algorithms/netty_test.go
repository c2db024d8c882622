package algorithms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"pgregory.net/rapid"
)

// nettyVector is one case of the real HashedWheelTimer, in nanoseconds.
type nettyVector struct {
	WheelSize int64      `json:"ticks_per_wheel"`
	Width     wheel.Tick `json:"effective_tick_ns"` // at least 1 ms in the library
	Now       wheel.Tick `json:"now_ns"`
	Delay     wheel.Tick `json:"delay_ns"`
	Expect    struct {
		Slot    uint32
		Rounds  int64
		FiresAt wheel.Tick `json:"fires_at_ns"`
	}
}

func TestNettyVectors(t *testing.T) {
	var file struct {
		Cases     []nettyVector
		Normalise [][2]int64
	}
	readVectors(t, "netty", &file)
	if len(file.Cases) < 884 || len(file.Normalise) < 30 {
		t.Fatalf("%d cases, %d sizes", len(file.Cases), len(file.Normalise))
	}
	const ms = 1000000
	for k := range file.Cases {
		c := &file.Cases[k]
		if c.Width%ms != 0 && c.Now%c.Width < ms && c.Now%ms != 0 {
			continue // the library's worker sleeps whole milliseconds: it has not woken yet
		}
		t.Run(fmt.Sprintf("%d now=%d delay=%d", k, c.Now, c.Delay), func(t *testing.T) {
			v := vector{Now: c.Now, Delay: c.Delay}
			x := v.live(t, "netty", catalog.Params{"slots": c.WheelSize, "width": c.Width})
			if x.first == nil || x.first.ToSlot != c.Expect.Slot || x.first.X != c.Expect.Rounds {
				t.Fatalf("placed %+v, want slot %d rounds %d", x.first, c.Expect.Slot, c.Expect.Rounds)
			}
			if x.fires = ceil(x.fires, ms) * ms; x.fires != c.Expect.FiresAt { // the worker sleeps whole milliseconds
				t.Fatalf("fires at %d, want %d", x.fires, c.Expect.FiresAt)
			}
		})
	}
	for _, size := range file.Normalise {
		if size[0] > wheel.SlotsMax {
			continue
		}
		w := build(t, "netty", catalog.Params{"slots": size[0]}, 0)
		if got := w.Layout().Levels[0].Slots; int64(got) != size[1] {
			t.Errorf("%d slots become %d, want %d", size[0], got, size[1])
		}
	}
}

// nettyRun is a whole run of the real timer, with operations in milliseconds and events in
// nanoseconds.
type nettyRun struct {
	Workload string
	Params   struct {
		Width   wheel.Tick `json:"tick_ns"`
		Slots   int64      `json:"ticks_per_wheel"`
		StallMS wheel.Tick `json:"stall_ms"`
		Task    uint32     `json:"stall_task"`
	}
	Ops []struct {
		T, Delay  wheel.Tick
		Op        string
		ID        uint32
		Effective bool
	}
	Events []struct {
		T  wheel.Tick `json:"t_ns"`
		ID uint32
	}
}

// A task that blocks the worker delays every tick until it returns. The ticks missed are then
// processed one after another.
func TestNettyRuns(t *testing.T) {
	const ms = 1000000
	var file struct{ Traces []nettyRun }
	readVectors(t, "netty_traces", &file)
	for _, r := range file.Traces {
		t.Run(fmt.Sprintf("%s stalled %d ms", r.Workload, r.Params.StallMS), func(t *testing.T) {
			w := build(t, "netty", catalog.Params{"slots": r.Params.Slots, "width": r.Params.Width}, 0)
			handles := map[uint32]wheel.Timer{}
			var got, want []string
			until := wheel.Tick(0) // the worker is blocked until this tick
			run := func(to wheel.Tick) {
				for at, ok := w.Next(); ok && max(at, until) <= to; at, ok = w.Next() {
					tick := max(at, until)
					for _, x := range jump(w, at) {
						got = append(got, fmt.Sprintf("%d at %d", x.Key-1, tick))
						if x.Key-1 == r.Params.Task && r.Params.StallMS > 0 {
							until = tick + r.Params.StallMS*ms
							tick = until // the rest of the tick fires later
						}
					}
				}
				if to >= until {
					jump(w, to)
				}
			}
			for _, o := range r.Ops {
				run(o.T * ms)
				if o.Op == "cancel" {
					if w.Cancel(handles[o.ID]) != o.Effective {
						t.Fatalf("cancel of %d at %d: want %v", o.ID, o.T, o.Effective)
					}
					continue
				}
				handles[o.ID], _, _ = w.Schedule(wheel.Spec{Due: (o.T + o.Delay) * ms, Key: o.ID + 1})
			}
			run(1 << 40)
			for _, e := range r.Events {
				want = append(want, fmt.Sprintf("%d at %d", e.ID, e.T))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("fired\n%v, want\n%v", got, want)
			}
		})
	}
}

// A timer fires at the end of the tick it is due in: from 1 base tick to a whole tick late. An
// exact multiple is late by a whole tick.
func TestNettyIsLateByUpToAWidth(t *testing.T) {
	eachLane(t, func(l lane) bool { return l.id == "netty" }, func(t *rapid.T, l lane) {
		r := newRig(t, l, false)
		jump(r.w, l.start+rapid.Int64Range(0, 50).Draw(t, "now"))
		delay := rapid.Int64Range(0, 300).Draw(t, "delay")
		due, u := r.w.Now()+delay, l.width()
		r.do(op{delay: delay}, nil)
		if at, want := firesAt(r.w), l.start+((due-l.start)/u+1)*u; at != want || at-due < 1 || at-due > u {
			t.Fatalf("due %d fires at %d, want %d", due, at, want)
		}
	})
}
