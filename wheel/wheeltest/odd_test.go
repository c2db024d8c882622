package wheeltest

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/program"
)

// inFakeTime selects the properties that can be checked in a bubble of testing/synctest.
func inFakeTime(c *config) {
	for _, p := range Properties() {
		if !p.Real {
			c.only = append(c.only, p.Name)
		}
	}
}

// large is a correct implementation that uses much memory itself.
type large struct {
	*sample
	slots []byte
}

// Correct implementations with unusual features pass every property.
func TestUnusualImplementationsPass(t *testing.T) {
	ticking := func(tick time.Duration) Factory {
		return func() (Timers, error) {
			s := newSample("")
			s.tick = tick
			return s, nil
		}
	}
	for name, odd := range map[string]struct {
		make    Factory
		options []Option
	}{
		"in real time":     {ticking(time.Millisecond), []Option{RealTime()}},
		"late by allowing": {ticking(time.Millisecond), []Option{Allow(200 * time.Millisecond)}},
		"7 ms":             {ticking(7 * time.Millisecond), nil},
		"an hour":          {ticking(time.Hour), nil},
		"a nanosecond":     {ticking(1), nil},
		"large":            {func() (Timers, error) { return large{newSample(""), make([]byte, 32<<20)}, nil }, []Option{Only("memory")}},
		"no tries":         {ticking(time.Millisecond), []Option{Only("random operations"), Tries(0)}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "in real time" {
				testkit.SoakOnly(t) // every property of time depends on the load of the machine
			}
			options := odd.options
			if len(configure(t, options).only) == 0 {
				options = append(options, inFakeTime)
			}
			for _, r := range Check(t, odd.make, options...) {
				if long := name == "in real time" && r.Property == "far ahead"; r.Verdict != Passed && !(long && r.Verdict == Absent) {
					t.Errorf("%s: %v", r.Property, r)
				}
			}
		})
	}
}

// A load that is longer than the time limit of a call is not a hang.
func TestLongLoad(t *testing.T) {
	coarse := func() (Timers, error) {
		s := newSample("")
		s.tick = 10 * time.Millisecond
		return s, nil
	}
	if r := Check(t, coarse, Only("reset against firing"), Load(hangTime+time.Second))[0]; r.Verdict != Passed {
		t.Errorf("%v", r)
	}
}

// An implementation whose tick is 0 fails with an explanation.
func TestNoTick(t *testing.T) {
	none := func() (Timers, error) {
		s := newSample("")
		s.tick = 0
		return s, nil
	}
	for _, r := range Check(t, none, Only("stop", "random operations")) {
		if r.Verdict != Failed || !strings.Contains(r.Observed, "Tick gives 0s") {
			t.Errorf("%s: %v", r.Property, r)
		}
	}
}

// The scenario of a failure contains the original operations, even with the longest delay.
func TestScenarioOfTheLongest(t *testing.T) {
	coarse := func() (Timers, error) {
		s := newSample("overflows")
		s.tick = time.Second
		return s, nil
	}
	r := Check(t, coarse, Only("longest"), Scenarios(filepath.Join(t.TempDir(), "not", "there")))[0]
	data, err := os.ReadFile(r.File)
	if err != nil {
		t.Fatalf("%v\n%v", err, r)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if want := int64(math.MaxInt64/time.Second) + 1; p.Scenario.Ops[0].Delay != want {
		t.Errorf("the delay is %d ticks, not %d:\n%s", p.Scenario.Ops[0].Delay, want, data)
	}
}

// Runs in real time may be as late as package time was, and no later.
func TestRunsMayBeAsLateAsPackageTime(t *testing.T) {
	for referenceLateness, late := range map[time.Duration]bool{0: true, 100 * time.Millisecond: false} {
		x := &checker{tick: time.Millisecond}
		s := &testTimer{x: x, due: time.Now()}
		s.fired = []time.Time{s.due.Add(240 * time.Millisecond)}
		x.referenceLateness.add(referenceLateness)
		if x.checkRuns(s, 5, 1); x.failed() != late {
			t.Errorf("package time was %v late: failed %v", referenceLateness, x.failed())
		}
	}
}

// There is enough time for a property that allows much lateness: "reset later" waits for nine
// times as long.
func TestLimitFollowsWhatIsAllowed(t *testing.T) {
	for _, late := range []time.Duration{4 * time.Second, time.Minute, math.MaxInt64} {
		c := configure(t, []Option{Allow(late)})
		if got, want := c.limitOf(time.Millisecond), 10*min(late, time.Hour); got < want {
			t.Errorf("allowed %v: %v, less than %v", late, got, want)
		}
	}
}

// A property that fails in real time but passes when repeated was disturbed by the machine.
func TestRealTimeIsTriedAgain(t *testing.T) {
	made := 0
	moody := func() (Timers, error) {
		made++
		return newSample(map[bool]string{true: "stop says false"}[made == 1]), nil
	}
	if r := Check(t, moody, Only("stop"), RealTime())[0]; r.Verdict != Passed || made != 2 {
		t.Errorf("%v, %d made", r, made)
	}
}
