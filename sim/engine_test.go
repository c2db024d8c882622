package sim

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// eventLines runs a scenario and returns the events of its lanes, one per line, without schedules and
// placements.
func eventLines(t *testing.T, text string) string {
	t.Helper()
	p := plantest.Load(t, text)
	var b strings.Builder
	for _, r := range plantest.RunStraight(t, p).Records {
		if r.Kind == wheel.KindSchedule || r.Kind == wheel.KindPlace {
			continue
		}
		name := ""
		if r.ID > 0 {
			name = " " + p.Name(r.ID) + "#" + strconv.FormatInt(int64(r.ID), 10)
		}
		fmt.Fprintf(&b, "%d %s%s", r.Tick, r.Kind, name)
		if r.Kind == wheel.KindExpire {
			fmt.Fprintf(&b, " run %d late %d", r.Run, r.Late(p.Start))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func wantTold(t *testing.T, text, want string) {
	t.Helper()
	got := eventLines(t, text)
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(want), "\n") {
		lines = append(lines, strings.TrimSpace(l))
	}
	if want = strings.Join(lines, "\n"); strings.TrimSpace(got) != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStall checks the specification of a stall. The lane does not advance in the ticks at+1 …
// at+for−1. At at+for it advances once and processes each of these ticks, so a repeat is scheduled
// at its own tick. During the stall the clock does not advance for operations, and delays count
// from t.
func TestStall(t *testing.T) {
	wantTold(t, `{"wheelscope":1,"until":12,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"beat","delay":2,"every":2,"times":4},
		{"at":1,"op":"stall","for":6},
		{"at":3,"op":"schedule","timer":"past","delay":-2},
		{"at":3,"op":"schedule","timer":"now","delay":0}]}}`, `
		3 expire past#2 run 1 late 2
		7 expire beat#1 run 1 late 5
		7 move now#3
		7 expire now#3 run 1 late 4
		7 move beat#1
		7 expire beat#1 run 2 late 3
		7 expire beat#1 run 3 late 1
		8 expire beat#1 run 4 late 0`)
}

func TestOverlappingStallsHoldTheLatestEnd(t *testing.T) {
	wantTold(t, `{"wheelscope":1,"until":12,"lanes":[{"algorithm":"sorted"}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"a","delay":2},{"at":1,"op":"stall","for":4},{"at":3,"op":"stall","for":5},
		{"at":4,"op":"stall","for":2}]}}`, `8 expire a#1 run 1 late 6`)
	wantTold(t, `{"wheelscope":1,"until":12,"lanes":[{"algorithm":"sorted"}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"a","delay":2},{"at":1,"op":"stall","for":40}]}}`, ``)
}

// TestSetResetMiss checks that set replaces silently, that reset and cancel emit a miss, and that
// all of them use the latest id of the name.
func TestSetResetMiss(t *testing.T) {
	wantTold(t, `{"wheelscope":1,"until":20,"lanes":[{"algorithm":"simple","slots":8}],"workload":{"ops":[
		{"at":0,"op":"set","timer":"a","delay":3},
		{"at":1,"op":"set","timer":"a","delay":5},
		{"at":2,"op":"reset","timer":"a","delay":1},
		{"at":4,"op":"reset","timer":"a","delay":2},
		{"at":7,"op":"cancel","timer":"a"},
		{"at":7,"op":"set","timer":"a","delay":1},
		{"at":7,"op":"set","timer":"far","delay":9},
		{"at":8,"op":"cancel","timer":"far"}]}}`, `
		1 cancel a#1
		2 cancel a#2
		3 hand
		3 expire a#3 run 1 late 0
		4 miss a#3
		6 hand
		6 expire a#4 run 1 late 0
		7 miss a#4
		7 reject far#6
		8 hand
		8 expire a#5 run 1 late 0
		8 miss far#6`)
}

// TestRepeatOfLessThanAWidth checks that the runs that a slot boundary has passed fire at once.
func TestRepeatOfLessThanAWidth(t *testing.T) {
	wantTold(t, `{"wheelscope":1,"until":20,"lanes":[{"algorithm":"simple","slots":4,"width":5}],"workload":{"ops":[
		{"at":0,"op":"schedule","timer":"a","delay":3,"every":4,"times":4}]}}`, `
		5 hand
		5 expire a#1 run 1 late 2
		10 hand
		10 expire a#1 run 2 late 3
		15 hand
		15 expire a#1 run 3 late 4
		15 expire a#1 run 4 late 0`)
}

// TestSameBytes checks that a trace has the same bytes whether it is written in jumps or tick by
// tick, and with GOMAXPROCS 1, 2 and 3.
func TestSameBytes(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	write := func(o tracefile.Options) string {
		var b bytes.Buffer
		if _, err := tracefile.Write(context.Background(), &b, p, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := write(tracefile.Options{})
	for n := range 3 {
		old := runtime.GOMAXPROCS(n + 1)
		for _, each := range []bool{false, true} {
			if write(tracefile.Options{EveryTick: each}) != want {
				t.Errorf("GOMAXPROCS %d, every tick %v: other bytes", n+1, each)
			}
		}
		runtime.GOMAXPROCS(old)
	}
}

// TestWorstTickCountsIdleOnes checks that the costliest tick of an idle hierarchy is the one at
// which the most hands move.
func TestWorstTickCountsIdleOnes(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":300,"lanes":[{"algorithm":"hierarchical","slots":[4,4,4,4]}],"workload":{}}`)
	e := plantest.Engine(t, p)
	e.Finish()
	s := e.Lane(0).Stats()
	if s.Worst != 4 || s.WorstAt != 64 || s.Cost.Slots != 300+75+18+4 {
		t.Fatalf("worst tick %d at %d, %d slots examined; want 4 at 64, 397", s.Worst, s.WorstAt, s.Cost.Slots)
	}
}
