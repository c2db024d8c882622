package own

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// Result is what Try found.
type Result struct {
	Groups []GroupResult `json:"groups"`
	Score  int           `json:"score"` // of 100: the weights of the groups without a fault
}

// GroupResult is the result of the cases about one subject.
type GroupResult struct {
	Name   string `json:"name"`
	Cases  int    `json:"cases"` // number of cases that were tried
	Weight int    `json:"weight"`
	Fault  *Fault `json:"fault,omitempty"` // the first fault, in the case Shrunk; nil if there is none
	Shrunk *Case  `json:"case,omitempty"`
}

// First returns the first group with a fault, or nil.
func (r *Result) First() *GroupResult {
	for i := range r.Groups {
		if r.Groups[i].Fault != nil {
			return &r.Groups[i]
		}
	}
	return nil
}

// Say sets the text of each fault in the language of the catalogue c, and leaves out its phrases.
func (r *Result) Say(c texts.Catalogue) {
	for _, g := range r.Groups {
		if g.Fault != nil {
			g.Fault.Text, g.Fault.Phrases = g.Fault.In(c), nil
		}
	}
}

// String explains the fault: the sentence, and the operations that show it.
func (g *GroupResult) String() string {
	if g.Fault == nil {
		return fmt.Sprintf("%s: %d cases, right", g.Name, g.Cases)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n  create(%d)\n", g.Fault.Kind, g.Fault.Text, g.Shrunk.Start)
	for i := range g.Shrunk.Ops {
		fmt.Fprintf(&b, "  %s\n", &g.Shrunk.Ops[i])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Tick returns the tick of the clock at the fault, relative to the start of the case.
func (g *GroupResult) Tick() int64 {
	now := g.Shrunk.Start
	for _, op := range g.Shrunk.Ops {
		now = max(now, op.To)
	}
	return now - g.Shrunk.Start
}

// Scenario returns the case as a scenario with two lanes: the oracle, which is a list, and lane. The scenario goes on for some ticks
// after the fault, at which a timer may come late; Tick is relative to its start.
func (g *GroupResult) Scenario(lane any) []byte {
	type op struct {
		At    int64  `json:"at"`
		Op    string `json:"op"`
		Timer string `json:"timer"`
		Delay int64  `json:"delay,omitempty"`
	}
	c := g.Shrunk
	ops, now := []op{}, c.Start
	for _, o := range c.Ops {
		switch o.Do {
		case "advance":
			now = o.To
		case "schedule":
			ops = append(ops, op{now - c.Start, "schedule", strconv.FormatInt(o.Key, 10), o.Due - now})
		default:
			ops = append(ops, op{At: now - c.Start, Op: "cancel", Timer: strconv.FormatInt(o.Key, 10)})
		}
	}
	data, err := json.Marshal(map[string]any{
		"wheelscope": 1, "name": "The first wrong answer of a wheel", "tick": "1s", "start": c.Start, "until": g.Tick() + 16,
		"lanes":    []any{map[string]any{"id": "oracle", "algorithm": "sorted"}, lane},
		"workload": map[string]any{"ops": ops},
	})
	if err != nil {
		panic(err) // numbers, fixed texts and the lane
	}
	return data
}

// Lane returns the wheel of t as a lane of a scenario.
func (t *Trial) Lane() any {
	o := t.withDefaults()
	return map[string]any{"id": "mine", "algorithm": "own", "slots": o.Slots, "levels": o.Levels, "source": t.Source}
}

// Try judges the wheels that create makes. The work ends early when ctx is done; the error is then that of ctx, or of a
// program that cannot be started. The same wheel and options give the same result.
func Try(ctx context.Context, create New, o Options) (*Result, error) {
	return (&Exam{Options: o}).Try(ctx, create, nil)
}

// try runs the cases and returns the result of the group. cases yields the cases in order.
func try(ctx context.Context, name string, weight int, cases iter.Seq[Case], run func(*Case) *Fault) (GroupResult, error) {
	g := GroupResult{Name: name, Weight: weight}
	for c := range cases {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		g.Cases++
		f := run(&c)
		if f == nil {
			continue
		}
		c, f := shrink(c, f, run)
		g.Fault, g.Shrunk = f, &c
		break
	}
	return g, ctx.Err()
}
