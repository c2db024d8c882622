package wheeltest

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/program"
)

// A correct implementation passes every property, here with all goroutines of the sample waiting
// for s.mu.
func TestCorrect(t *testing.T) {
	Run(t, func() (Timers, error) { return newSample(""), nil }, Slots(10), Load(100*time.Millisecond), Unclaimed("pauses", "its lock is not fair"))
}

// faults maps each fault of the sample to the property that finds it. It may violate others too.
var faults = map[string]string{
	"floors to the tick": "never early", "a tick too late": "never early", "loses a round": "whole revolutions", "keeps to a level": "far ahead",
	"divides by zero": "below a tick", "drops what is not positive": "not positive", "overflows": "longest",
	"stop says true": "stop", "stop says false": "stop", "heeds no stop": "stop", "removes a bystander": "stop after firing",
	"counts what was armed": "pending", "reset hangs": "reset into the same slot", "reset only later": "reset earlier",
	"reset keeps the old": "reset later", "reset of the dead is lost": "reset again",
	"keeps both": "same key", "set only later": "set earlier", "keeps the key": "remove", "forgets keys set inside": "set inside, then remove",
	"moves only later": "move", "drains for good": "drain, then set",
	"runs once more": "times", "fires in bursts": "every", "a stopped repeat goes on": "a stopped repeat",
	"ends by a panic": "panic", "one at a time": "slow function",
	"blocks when closed": "closed", "fires when closed": "closed", "close hangs": "close from a function", "leaks a goroutine": "goroutines",
	"holds what was stopped": "memory", "reads the wall clock": "wall clock",
	"late under load": "at once under load", "loses a key": "keys under load", "runs slow": "drift",
	"stop loses the race": "stop against firing",
}

func bad(v Verdict) bool { return v == Failed || v == Hung }

// limit shortens the time limit of a property that may hang.
func limit(c *config) { c.limit = 3 * time.Second }

// Each deliberate fault is found by its property.
func TestFaultsAreFound(t *testing.T) {
	for fault, property := range faults {
		t.Run(fault, func(t *testing.T) {
			r := Check(t, func() (Timers, error) { return newSample(fault), nil }, Only(property), Slots(10), Load(200*time.Millisecond), limit)
			if len(r) != 1 || !bad(r[0].Verdict) {
				t.Errorf("%q does not find it: %v", property, r)
			}
		})
	}
}

// Every property finds some fault: none of them always passes.
func TestEveryPropertyFindsSomething(t *testing.T) {
	found := map[string]bool{"stall": true} // TestCountedTicks
	for _, property := range faults {
		found[property] = true
	}
	for _, p := range Properties() {
		switch p.Name {
		case "random operations", "whole revolutions", "calls from a function", "every revolution", "reset against firing", "idle, then busy", "copied handle",
			"shutdown from a function", "stop against repeats", "pauses":
			continue // TestOtherFaults
		}
		if !found[p.Name] {
			t.Errorf("no fault shows that %q can fail", p.Name)
		}
	}
}

func TestOtherFaults(t *testing.T) {
	for property, fault := range map[string]string{
		"calls from a function": "stop says true", "every revolution": "fires in bursts", "reset against firing": "reset of the dead is lost",
		"idle, then busy": "falls asleep", "copied handle": "reset keeps the old", "shutdown from a function": "does not wait",
		"stop against repeats": "a stopped repeat goes on", "pauses": "slow with many",
	} {
		t.Run(property, func(t *testing.T) {
			r := Check(t, func() (Timers, error) { return newSample(fault), nil }, Only(property), Slots(10), Load(100*time.Millisecond))
			if !bad(r[0].Verdict) {
				t.Errorf("%q does not find it: %v", fault, r[0])
			}
		})
	}
}

// A function that stops its neighbours finds each answer that is not true to what happens, and reports one that is.
func TestStopOfNeighbours(t *testing.T) {
	for fault, want := range map[string]string{"": "true, and it did not run", "claims a batch": "false, and it ran",
		"heeds no stop": "returned true, and the neighbour ran 1 times", "stop says false": "returned false, and the neighbour ran 0 times"} {
		t.Run(fault, func(t *testing.T) {
			r := Check(t, func() (Timers, error) { return newSample(fault), nil }, Only("calls from a function"))[0]
			if bad(r.Verdict) != strings.Contains(want, "returned") || !strings.Contains(r.Observed, want) {
				t.Errorf("%v", r)
			}
		})
	}
}

// A process that is stopped reveals ticks that are counted and not made up.
func TestCountedTicks(t *testing.T) {
	r := Check(t, func() (Timers, error) { return newCounted(), nil }, Only("stall"), RealTime())
	if r[0].Verdict != Failed || !strings.Contains(r[0].Observed, "late") && !strings.Contains(r[0].Observed, "not fired") {
		t.Errorf("%v", r[0])
	}
}

// Random operations that fail are written as a scenario that can be run, and fail again if they are given.
func TestRandomOperationsFail(t *testing.T) {
	r := Check(t, func() (Timers, error) { return newSample("reset only later"), nil }, Only("random operations"), Seed(3), Scenarios(t.TempDir()))[0]
	if r.Verdict != Failed || len(r.Ops) == 0 || r.Seed != 3 {
		t.Fatalf("%v", r)
	}
	again := Check(t, func() (Timers, error) { return newSample("reset only later"), nil }, Only("random operations"), Operations(r.Ops))[0]
	if again.Verdict != Failed {
		t.Errorf("%v\nthen\n%v", r, again)
	}
	if text := r.String(); !strings.Contains(text, "wheelscope run "+r.File) || !strings.Contains(text, "reset timer") {
		t.Errorf("output:\n%s", text)
	}
	data, err := os.ReadFile(r.File)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if !strings.Contains(p.Scenario.Title.In("en"), "random operations") {
		t.Errorf("%s", data)
	}
}

// The same seed gives the same operations.
func TestSeed(t *testing.T) {
	examine := func() Result {
		return Check(t, func() (Timers, error) { return newSample("reset of the dead is lost"), nil }, Only("random operations"), Seed(9))[0]
	}
	if a, b := examine(), examine(); a.String() != b.String() {
		t.Errorf("%v\nthen\n%v", a, b)
	}
}

func TestUnclaimedAndAbsent(t *testing.T) {
	r := Check(t, func() (Timers, error) { return newCounted(), nil }, Only("move", "slow function"), Unclaimed("slow function", "it calls inline"))
	for _, r := range r {
		if r.Verdict != Absent {
			t.Errorf("%v", r)
		}
	}
}

// The error of the factory is reported.
func TestFactoryFails(t *testing.T) {
	r := Check(t, func() (Timers, error) { return nil, errClosed }, Only("stop"))
	if r[0].Verdict != Failed || !strings.Contains(r[0].Observed, "closed") {
		t.Errorf("%v", r[0])
	}
}

// If Stop returns no result, its effect is still checked, even under load.
func TestNoAnswersAreJudgedByEffect(t *testing.T) {
	for fault, bad := range map[string]bool{"": false, "refuses zero": false, "heeds no stop": true, "drops one of many": true} {
		t.Run(fault, func(t *testing.T) {
			r := Check(t, func() (Timers, error) { return newSample(fault), nil }, Only("stop against firing"), NoAnswers(), Load(300*time.Millisecond))[0]
			if want := map[bool]Verdict{false: Passed, true: Failed}[bad]; r.Verdict != want {
				t.Errorf("%v", r)
			}
		})
	}
}

// A rejected delay of 0 is not a late timer.
func TestRefusedAtOnce(t *testing.T) {
	r := Check(t, func() (Timers, error) { return newSample("refuses zero"), nil }, Only("at once under load"), Load(100*time.Millisecond))[0]
	if r.Verdict != Absent || !strings.Contains(r.Observed, "not a delay") {
		t.Errorf("%v", r)
	}
}

// A coarse tick takes longer, and the time limit allows for that.
func TestLimitGrowsWithTheTick(t *testing.T) {
	testkit.SoakOnly(t) // 1.6 s of real time within a limit
	coarse := func() (Timers, error) {
		s := newSample("")
		s.tick = 50 * time.Millisecond
		return s, nil
	}
	short := func(c *config) { c.limit = time.Second }
	r := Check(t, coarse, Only("whole revolutions"), RealTime(), Slots(10), Load(0), short)[0] // 32 ticks: 1.6 s
	if r.Verdict != Passed {
		t.Errorf("%v", r)
	}
}

// A repeat without an end is reported as such, not as −1 times.
func TestEndlessRepeatIsReported(t *testing.T) {
	op := Op{Do: "schedule", Timer: "repeat1", Delay: time.Second, Every: time.Second, Times: -1}
	if got, want := op.String(), "schedule repeat1 in 1s, each 1s, for ever"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
