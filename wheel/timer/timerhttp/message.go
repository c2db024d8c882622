package timerhttp

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// The messages are those of the lab's page (docs/MESSAGES.md): a hello, then a state
// for each sample, with `rates` added.

// message contains the fields that the messages to the page have in common. There are two kinds of
// message: hello, which is sent first, and state, which is sent for each sample.
type message struct {
	V    int    `json:"v"`
	Kind string `json:"kind"`
	Run  string `json:"run"`
	Seq  int64  `json:"seq"`
}

type hello struct {
	message
	Driver   bool             `json:"driver"`
	Limits   map[string]int64 `json:"limits"`
	Scenario helloScenario    `json:"scenario"`
	Lanes    []helloLane      `json:"lanes"`
}

type helloScenario struct {
	Name  string     `json:"name"`
	Tick  string     `json:"tick"`
	Start wheel.Tick `json:"start"` // first tick; 0 is the time at which the wheel was created
	Until wheel.Tick `json:"until"` // last tick; 0 means that the scenario has no end
}

type helloLane struct {
	ID string `json:"id"`
	knowledge.Facts
	Params catalog.Params `json:"params"`
}

type state struct {
	message
	Tick  int64       `json:"tick"`
	Step  int64       `json:"step"`
	Names []any       `json:"names"`
	Lanes []stateLane `json:"lanes"`
	Last  []int64     `json:"last"`
	Rest  bool        `json:"rest"`
	Rates rates       `json:"rates"`
	Herd  *herdSeen   `json:"herd,omitempty"` // absent if no herd is known
}

type stateLane struct {
	Mode   string    `json:"mode"`
	Now    int64     `json:"now"`
	Levels [][]int64 `json:"levels"`
	Places [][]any   `json:"places"`
	Queue  [][]int64 `json:"queue"`
	Counts []int64   `json:"counts"`
	Cost   []int64   `json:"cost"`
}

// rates contains totals of the wheel, and the rates per second at which counters have grown since the previous sample.
type rates struct {
	Pending   int     `json:"pending"`
	Running   int     `json:"running"`
	Armed     float64 `json:"armed"` // timers scheduled per second
	Fired     float64 `json:"fired"`
	Stopped   float64 `json:"stopped"`
	Cascades  float64 `json:"cascades"`
	LateNow   float64 `json:"late_now"` // maximum lateness since the last sample, in ms
	LateWorst float64 `json:"late_worst"`
	Late      int64   `json:"late"`
	Recorded  int64   `json:"recorded"`
}

// stateOf returns the state message of sample s as JSON. run is the name of the stream, and seq the
// number of the message. The rates are computed from s and the previous sample, before; they are 0
// if before is nil. found is the largest herd, or nil.
func stateOf(run string, seq int64, s, before *watch.Sample, found *herdSeen) ([]byte, error) {
	m := state{message: message{1, "state", run, seq}, Tick: s.Tick, Step: -1, Names: []any{}, Last: []int64{}, Rest: true, Rates: ratesOf(s, before), Herd: found}
	for k := range s.Lanes {
		l := &s.Lanes[k]
		m.Lanes = append(m.Lanes, laneOf(l, k))
		for id, name := range l.Names {
			m.Names = append(m.Names, number(id, k), name, nil)
		}
	}
	return json.Marshal(m)
}

// number converts id, the ID of a timer in the shard with index lane, to a number that is unique among the lanes
// shown.
func number(id uint32, lane int) int64 { return int64(id)*watch.LanesShown + int64(lane) }

func laneOf(l *watch.Lane, k int) stateLane {
	c := l.State.Counts
	to := stateLane{Mode: "counts", Now: l.Now, Levels: [][]int64{}, Places: [][]any{}, Queue: [][]int64{}, Cost: []int64{0, 0, 0, 0},
		Counts: []int64{int64(l.State.Live), c.Scheduled, c.Rejected, c.Cancelled, c.Expired, 0, 0, l.Late, c.Findings}}
	if l.Full {
		to.Mode = "full"
	}
	for _, v := range l.State.Levels {
		to.Levels = append(to.Levels, []int64{int64(v.Level), int64(v.Slots), v.Width})
	}
	for _, p := range l.State.Places {
		to.Places = append(to.Places, []any{p.Level, p.Slot, p.Count, entriesOf(p.Entries, k)})
	}
	for _, q := range l.State.Queue {
		to.Queue = append(to.Queue, []int64{int64(q.Level), int64(q.Slot), q.Due})
	}
	return to
}

// entriesOf returns the timers of shard k as a flat list, with five numbers for each timer: its ID
// (see number), due tick, rounds, run, and 1 if it is marked or 0 if not.
func entriesOf(entries []wheel.Entry, k int) []int64 {
	list := make([]int64, 0, 5*len(entries))
	for _, e := range entries {
		marked := int64(0)
		if e.Marked {
			marked = 1
		}
		list = append(list, number(e.ID, k), e.Due, max(e.Rounds, -1), int64(e.Run), marked)
	}
	return list
}

// ratesOf returns the totals of sample s, and the rates per second at which counters have grown
// from the previous sample, before, to s. If before is nil, the rates are 0.
func ratesOf(s, before *watch.Sample) rates {
	t := &s.Totals
	r := rates{Pending: t.Pending, Running: t.Running, Late: t.Late, Recorded: t.Recorded,
		LateNow: float64(t.LateNow) / 1e6, LateWorst: float64(t.LateWorst) / 1e6}
	if before == nil || s.At <= before.At {
		return r
	}
	o, seconds := &before.Totals, (s.At - before.At).Seconds()
	per := func(now, then int64) float64 { return math.Round(float64(now-then)/seconds*10) / 10 }
	r.Armed, r.Fired = per(t.Armed, o.Armed), per(t.Fired, o.Fired)
	r.Stopped, r.Cascades = per(t.Stopped, o.Stopped), per(t.Moved, o.Moved)
	return r
}

// helloOf returns the hello message as JSON. It contains i, the properties of the wheel that do not change. run is the
// name of the stream (see newRun).
func helloOf(run string, i *watch.Info) ([]byte, error) {
	m := hello{message: message{1, "hello", run, 0}, Limits: map[string]int64{"viewers": viewersMax, "lanes": watch.LanesShown, "recorded": watch.RecordedMax},
		Scenario: helloScenario{Name: "live", Tick: i.Tick.String()}}
	lane := describe(i)
	for k := range min(i.Shards, watch.LanesShown) {
		lane.ID = laneID(k)
		m.Lanes = append(m.Lanes, lane)
	}
	return json.Marshal(m)
}

// laneID returns the ID of the lane in which the page shows shard k.
func laneID(k int) string { return fmt.Sprintf("shard-%d", k) }

// describe returns the algorithm of the wheel and its parameters as a helloLane whose ID is not set. They are the same
// for all shards.
func describe(i *watch.Info) helloLane {
	params := i.Params
	if a, ok := algorithms.Lookup(i.Algorithm); ok {
		if filled, err := a.Fill(params); err == nil {
			params = filled
		}
	}
	return helloLane{Facts: knowledge.Titled(algorithms.FactsOf(i.Algorithm, params, 0)), Params: params}
}
