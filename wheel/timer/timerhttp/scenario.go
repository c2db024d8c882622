package timerhttp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// scenario is a recording in the format that the lab and `wheelscope run` read: one lane
// with the wheel's algorithm, on the ticks in which it was recorded. Timers have numbers
// for names, since their keys may contain confidential data.
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
	Every wheel.Tick  `json:"every,omitempty"`
	Times int32       `json:"times,omitempty"`
}

// scenarioOf returns the scenario file of a recording.
func scenarioOf(i *watch.Info, r *watch.Recording) ([]byte, error) {
	en := fmt.Sprintf("Recorded on a running wheel: %d operations in %d ticks of %v.", len(r.Ops), r.End-r.Begun, i.Tick)
	zh := fmt.Sprintf("在运行中的时间轮上录制：%d 个刻度（每刻度 %v）内的 %d 次操作。", r.End-r.Begun, i.Tick, len(r.Ops))
	if !r.Whole {
		en += " Not everything was recorded: it was more than the recording holds."
		zh += "内容超出录制上限，未全部录下。"
	}
	lane := map[string]any{"id": "wheel", "algorithm": i.Algorithm}
	maps.Copy(lane, i.Params)
	s := scenario{Version: 1, Name: "live", Title: map[string]string{"en": "Watched live", "zh": "实时录制"},
		Summary: map[string]string{"en": en, "zh": zh}, Tick: i.Tick.String(), Start: r.Begun, Until: r.End - r.Begun,
		Lanes: []map[string]any{lane}, Workload: workload{Ops: make([]operation, 0, len(r.Ops))}}
	for _, o := range slices.SortedStableFunc(slices.Values(r.Ops), func(a, b watch.Op) int { return cmp.Compare(a.At, b.At) }) {
		s.Workload.Ops = append(s.Workload.Ops, operationOf(&o))
		s.Until = max(s.Until, o.At)
	}
	return json.MarshalIndent(s, "", " ")
}

func operationOf(o *watch.Op) operation {
	to := operation{At: o.At, Op: "cancel", Timer: fmt.Sprintf("t%d", o.Timer)}
	if !o.Stop {
		to.Op, to.Delay, to.Every, to.Times = "schedule", &o.Delay, o.Every, o.Times
	}
	return to
}
