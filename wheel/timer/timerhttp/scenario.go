package timerhttp

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// scenario is a recording in the format that the lab and `wheelscope run` read: one lane with the
// wheel's algorithm, over the ticks of the recording. Timers are identified by numbers, because
// their keys may contain confidential data.
type scenario struct {
	Version  int               `json:"wheelscope"`
	Name     string            `json:"name"`
	Title    map[string]string `json:"title"`
	Summary  map[string]string `json:"summary"`
	Tick     string            `json:"tick"`
	Start    wheel.Tick        `json:"start"`
	Until    wheel.Tick        `json:"until"`
	Lanes    []map[string]any  `json:"lanes"`
	Workload workload          `json:"workload"`
}

type workload struct {
	Ops []operation `json:"ops"`
}

type operation struct {
	At    wheel.Tick  `json:"at"`
	Op    string      `json:"op"`
	Timer string      `json:"timer"`
	Delay *wheel.Tick `json:"delay,omitempty"`
}

// scenarioOf returns r, a recording of the wheel that i describes, as a scenario file in JSON.
func scenarioOf(i *watch.Info, r *watch.Recording) ([]byte, error) {
	key := "recording.summary"
	if !r.Whole {
		key = "recording.summary.cut"
	}
	summary := texts.Of(key, "operations", len(r.Ops), "ticks", r.End-r.Begun, "tick", i.Tick)
	lane := map[string]any{"id": "wheel", "algorithm": i.Algorithm}
	maps.Copy(lane, i.Params)
	s := scenario{Version: 1, Name: "live", Title: static.InEach(texts.Of("recording.title")),
		Summary: static.InEach(summary), Tick: i.Tick.String(), Start: r.Begun, Until: r.End - r.Begun,
		Lanes: []map[string]any{lane}, Workload: workload{Ops: make([]operation, 0, len(r.Ops))}}
	for k := range r.Ops {
		s.Workload.Ops = append(s.Workload.Ops, operationOf(&r.Ops[k]))
		s.Until = max(s.Until, r.Ops[k].At)
	}
	return json.MarshalIndent(s, "", " ")
}

func operationOf(o *watch.Op) operation {
	to := operation{At: o.At, Op: "cancel", Timer: fmt.Sprintf("t%d", o.Timer)}
	if !o.Stop {
		to.Op, to.Delay = "schedule", &o.Delay
	}
	return to
}
