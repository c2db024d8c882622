package wheeltest

import (
	"encoding/json"
	"os"
)

// delayMax is the longest delay, in ticks, that is written into a scenario.
const delayMax = 1 << 40

// scenarioOp is an operation in the format of a scenario file. At, Delay and Every are in ticks.
type scenarioOp struct {
	At    int64  `json:"at"`
	Op    string `json:"op"`
	Timer string `json:"timer"`
	Delay *int64 `json:"delay,omitempty"`
	Every int64  `json:"every,omitempty"`
	Times int    `json:"times,omitempty"`
}

// writeScenario writes the operations of r to a scenario file in dir and returns the name of the file.
// The scenario has two lanes: a heap, which fires timers exactly when they are due, and a hierarchical
// wheel. writeScenario returns "" if there are no operations, a delay is longer than delayMax, or the file
// can't be written.
func writeScenario(dir string, p Property, r Result) string {
	tick := r.tick
	if len(r.Ops) == 0 {
		return ""
	}
	var ops []scenarioOp
	until := int64(0)
	for _, op := range r.Ops {
		s := scenarioOp{At: int64(op.At / tick), Op: op.Do, Timer: op.Timer, Every: int64(op.Every / tick), Times: op.Times}
		if op.Do != "cancel" {
			if op.Delay/tick > delayMax {
				return ""
			}
			delay := max(0, int64(op.Delay/tick))
			if op.Delay%tick > 0 {
				delay++
			}
			s.Delay = &delay
			until = max(until, s.At+delay+s.Every*int64(max(op.Times, 3)))
		}
		until = max(until, s.At)
		ops = append(ops, s)
	}
	title := "wheeltest: " + p.Name
	data, err := json.MarshalIndent(map[string]any{
		"wheelscope": 1, "name": "wheeltest", "title": title, "summary": r.Observed, "tick": tick.String(), "until": until + 2,
		"lanes":    []any{map[string]any{"algorithm": "heap"}, map[string]any{"algorithm": "hierarchical"}},
		"workload": map[string]any{"ops": ops},
	}, "", " ")
	if err != nil {
		return ""
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return ""
	}
	f, err := os.CreateTemp(dir, "wheeltest-*.json")
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := f.Write(append(data, '\n')); err != nil {
		return ""
	}
	return f.Name()
}
