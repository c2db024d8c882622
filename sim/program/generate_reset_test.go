package program_test

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// resetGroup is a group of count timers that arrive at tick 0 or every given number of ticks.
func resetGroup(count, delay int, rest string) string {
	return fmt.Sprintf(`{"prefix": "c", "count": %d, "arrivals": {"dist": "constant", "value": 0}, "delay": {"dist": "constant", "value": %d}, %s}`, count, delay, rest)
}

// gaps is a reset of all timers at a constant gap.
func gaps(every int, rest string) string {
	return fmt.Sprintf(`"reset": {"fraction": 1, "every": {"dist": "constant", "value": %d}%s}`, every, rest)
}

const (
	upTo      = `, "until": {"dist": "constant", "value": %d}`
	cancelled = `, "cancel": {"fraction": 1, "after": {"dist": "constant", "value": %d}}`
)

// TestGeneratedResets checks when the timers of a group are reset: while they are live, up to until, and at one tick
// before their cancel.
func TestGeneratedResets(t *testing.T) {
	for _, c := range []struct {
		what, head, group string
		plan              []string
		until             int64
	}{
		{"up to until", "", resetGroup(1, 10, gaps(4, fmt.Sprintf(upTo, 9))), []string{"0 schedule c0=1", "4 reset c0=2 →1", "8 reset c0=3 →2"}, 20},
		{"until is included", "", resetGroup(1, 10, gaps(4, fmt.Sprintf(upTo, 8))), []string{"0 schedule c0=1", "4 reset c0=2 →1", "8 reset c0=3 →2"}, 20},
		{"not once it has fired", "", resetGroup(1, 3, gaps(4, "")), []string{"0 schedule c0=1"}, 5},
		{"not when it fires", "", resetGroup(1, 4, gaps(4, "")), []string{"0 schedule c0=1"}, 6},
		{"a gap of 0 is 1", "", resetGroup(1, 2, gaps(0, fmt.Sprintf(upTo, 2))), []string{"0 schedule c0=1", "1 reset c0=2 →1", "2 reset c0=3 →2"}, 6},
		{"a delay of 0 is never live", "", resetGroup(1, 0, gaps(1, "")), []string{"0 schedule c0=1"}, 2},
		{"before its cancel", "", resetGroup(1, 10, gaps(4, "")+fmt.Sprintf(cancelled, 8)),
			[]string{"0 schedule c0=1", "4 reset c0=2 →1", "8 reset c0=3 →2", "8 cancel →3"}, 20},
		{"by index", "", resetGroup(2, 10, gaps(4, "")+fmt.Sprintf(cancelled, 4)),
			[]string{"0 schedule c0=1", "0 schedule c1=2", "4 reset c0=3 →1", "4 cancel →3", "4 reset c1=4 →2", "4 cancel →4"}, 16},
		{"up to the end of the scenario", `"until": 9`, resetGroup(1, 10, gaps(4, "")), []string{"0 schedule c0=1", "4 reset c0=2 →1", "8 reset c0=3 →2"}, 9},
		{"while it repeats", "", resetGroup(1, 2, `"every": 3, "times": 2, `+gaps(4, fmt.Sprintf(upTo, 4))), []string{"0 schedule c0=1", "4 reset c0=2 →1"}, 11},
		{"not after its last run", "", resetGroup(1, 2, `"every": 3, "times": 2, `+gaps(5, "")), []string{"0 schedule c0=1"}, 7},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := plantest.Load(t, plantest.Scenario(c.head, `{"generate": [`+c.group+`]}`))
			wantPlan(t, p, c.plan...)
			if p.Until != c.until {
				t.Errorf("until %d, want %d", p.Until, c.until)
			}
			for i := range p.Ops {
				if op := &p.Ops[i]; op.Kind == scenario.OpReset && (op.Delay != p.Ops[0].Delay || op.Every != p.Ops[0].Every || op.Times != p.Ops[0].Times) {
					t.Errorf("%+v resets %+v", op, p.Ops[0])
				}
			}
		})
	}
}

// resetDraws is a group whose timers, cancels and resets are all drawn.
func resetDraws(reset string) string {
	return `{"prefix": "conn", "seed": 7, "count": 500, "arrivals": {"dist": "poisson", "rate": "200/s"}, "delay": {"dist": "exponential", "mean": "2s", "max": "30s"},
		"cancel": {"fraction": 0.3, "after": {"dist": "uniform", "min": 0, "max": "9s"}}` + reset + `}`
}

// TestResetsDrawAlone checks that resets do not change what else a group draws, that they are the same on every machine,
// and that the live timers, and no others, are reset.
func TestResetsDrawAlone(t *testing.T) {
	plan := func(reset string) (others []string, resets int, digest string) {
		p := plantest.Load(t, plantest.Scenario("", `{"generate": [`+resetDraws(reset)+`]}`))
		due := map[string]int64{} // of the live timer
		for i := range p.Ops {
			op := &p.Ops[i]
			name := p.Name(max(op.ID, op.Target))
			if op.Kind == scenario.OpReset {
				if resets++; op.At >= due[name] {
					t.Errorf("%s is reset at %d; it was live until %d", name, op.At, due[name])
				}
			} else {
				others = append(others, fmt.Sprint(op.At, op.Kind, name, op.Delay))
			}
			due[name] = 0
			if op.Kind.Arms() {
				due[name] = op.At + op.Delay
			}
		}
		return others, resets, planDigest(p)
	}
	without, none, _ := plan("")
	const reset = `, "reset": {"fraction": 0.5, "every": {"dist": "exponential", "mean": "500ms"}, "until": {"dist": "uniform", "min": 0, "max": "20s"}}`
	with, some, digest := plan(reset)
	if none != 0 || some < 1000 || fmt.Sprint(with) != fmt.Sprint(without) {
		t.Errorf("%d resets without the field, %d with it; the other operations changed: %v", none, some, fmt.Sprint(with) != fmt.Sprint(without))
	}
	if want := "36336bf486900b936bc35d21c99f4ff88d7817aeb627265b704ef22479f28a73"; digest != want {
		t.Errorf("%d resets: SHA-256 %s, want %s", some, digest, want)
	}
}

// TestTooManyResets checks that resets count as timers, and that those of an endless timer need an end.
func TestTooManyResets(t *testing.T) {
	for _, c := range []refused{
		{"without end", string(plantest.Scenario("", `{"generate": [`+resetGroup(1, 10, gaps(4, ""))+`]}`)),
			"workload.generate[0].reset: with these resets there are more than 2097152 timers, written and generated"},
		{"with an early end of the scenario", string(plantest.Scenario(`"until": 3000000`, `{"generate": [`+resetGroup(1, 10, gaps(1, ""))+`]}`)), "workload.generate[0].reset: with these"},
		{"of an endless timer", string(plantest.Scenario("", `{"generate": [`+resetGroup(1, 10, `"every": 5, `+gaps(4, ""))+`]}`)), "until: missing"},
		{"past the last tick", string(plantest.Scenario(`"start": 4611686018427387000, "until": 800`, `{"generate": [`+resetGroup(1, 900, gaps(100, ""))+`]}`)), "workload.generate[0]: timer \"c0\" is past tick"},
	} {
		c.check(t)
	}
	plantest.Load(t, plantest.Scenario(`"until": 2000000`, `{"generate": [`+resetGroup(1, 10, gaps(1, ""))+`]}`))
}
