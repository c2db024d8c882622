package compare

import (
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
)

// ComparisonReport is the JSON form of a Comparison. The server sends it when a client requests a comparison, and
// `wheelscope compare A B --format json` prints it. Ticks are relative to the start of the scenario.
type ComparisonReport struct {
	Sides     []SideReport       `json:"sides"`
	Until     int64              `json:"until"`      // last tick compared
	SameWork  bool               `json:"same_work"`  // whether both sides have the same operations
	WorkApart int64              `json:"work_apart"` // tick of the first operation that differs between the two workloads; −1 means none
	Verdict   []string           `json:"verdict"`    // sentences that summarize the comparison
	Rows      []ComparisonRow    `json:"rows"`
	Differing int64              `json:"differing"`       // number of timer runs with different outcomes
	More      bool               `json:"more,omitempty"`  // whether Differing is only a lower bound
	First     *DifferenceReport  `json:"first,omitempty"` // first difference between the lanes; nil if there is none
	Events    *EventReport       `json:"events,omitempty"`
	Timers    []DifferenceReport `json:"timers"` // the first DifferencesMax differences
}

// SideReport describes one side of a comparison. The first side is called A, the second B.
type SideReport struct {
	Side    string `json:"side"`
	Name    string `json:"name"`
	Digest  string `json:"digest"` // digest of the scenario
	Until   int64  `json:"until"`
	Altered int64  `json:"altered,omitempty"` // number of the first line of the trace that differs from the run of its scenario; 0 means none
}

// ComparisonRow holds the result of a lane and of its comparison with the oracle. Costs and bytes are
// −1 if the side is a trace that differs from the run of its scenario, because trace lines do not
// contain them.
type ComparisonRow struct {
	Side string `json:"side,omitempty"`
	engine.LaneResult
	Off      int64 `json:"off"`                // number of timer runs whose outcomes differ from those that the oracle requires
	OffMore  bool  `json:"off_more,omitempty"` // whether Off is only a lower bound
	OffFirst int64 `json:"off_first"`          // first tick at which the lane differs from the oracle; −1 means none
}

// DifferenceReport is the JSON form of a [Difference]: a timer run that does not end in the same way, or not at the
// same tick, in all compared lanes.
type DifferenceReport struct {
	Timer string      `json:"timer"`
	Run   uint32      `json:"run"`
	Due   int64       `json:"due"`
	Tick  int64       `json:"tick"` // first tick at which the outcomes of the lanes differ
	Ends  []EndReport `json:"ends"`
}

// EndReport is the outcome of a timer run in one lane. Kind is "expire", "reject" or "cancel", ""
// if there is no outcome, or "absent" if the side does not have the timer. In the last two cases,
// Tick and Late are meaningless.
type EndReport struct {
	Side string `json:"side,omitempty"`
	Lane string `json:"lane"`
	Kind string `json:"kind"`
	Tick int64  `json:"tick"`
	Due  int64  `json:"due"`  // tick at which this run of the timer was due in the lane's own scenario
	Late int64  `json:"late"` // Tick − Due if Kind is "expire"
}

// EventReport describes the first difference between the events of two lanes with the same algorithm and
// parameters.
type EventReport struct {
	Lane  string    `json:"lane"`
	Tick  int64     `json:"tick"`
	Lines [2]string `json:"lines"` // differing event of each side, a trace line; "" if the lane has no more events at Tick
}

// Report returns c as a ComparisonReport, with sentences in the language of the given catalogue.
func (c *Comparison) Report(in texts.Catalogue) *ComparisonReport {
	r := &ComparisonReport{Until: c.Until, SameWork: c.Apart < 0, WorkApart: c.Apart, Verdict: in.Lines(c.Words()), Rows: []ComparisonRow{}, Timers: []DifferenceReport{}}
	for side := range c.Sides {
		r.addSide(c, side)
	}
	r.Differing, r.More = c.Differing()
	for _, at := range c.Differences {
		r.Timers = append(r.Timers, c.difference(at))
	}
	if len(r.Timers) > 0 {
		r.First = &r.Timers[0]
	}
	if e := c.Events; e != nil {
		r.Events = &EventReport{c.Rows[0][c.Groups[e.Group][0].Lane].Lane, e.Tick, e.Lines}
	}
	return r
}

func (r *ComparisonReport) addSide(c *Comparison, side int) {
	s := &c.Sides[side]
	report := SideReport{sideLetter(side), s.Name, s.Program.Digest(), s.Program.Until, 0}
	if s.Trace != nil && s.Trace.Diff != nil {
		report.Altered = s.Trace.Diff.Line
	}
	r.Sides = append(r.Sides, report)
	for lane, row := range c.Rows[side] {
		score := &c.Against[side][lane]
		out := ComparisonRow{c.letter(side), row, score.Differing, score.More, -1}
		if score.First != nil {
			out.OffFirst = score.First.Tick
		}
		r.Rows = append(r.Rows, out)
	}
}

// letter returns the letter of the side with the given index: A for 0 and B for 1. It returns "" if there is only
// one side.
func (c *Comparison) letter(side int) string {
	if len(c.Sides) == 1 {
		return ""
	}
	return sideLetter(side)
}

func (c *Comparison) difference(at *Difference) DifferenceReport {
	r := DifferenceReport{at.Timer, at.Run, at.Due, at.Tick, nil}
	for i, e := range at.Ends {
		l := c.Groups[at.Group][i]
		end := EndReport{Side: c.letter(l.Side), Lane: c.Rows[l.Side][l.Lane].Lane, Kind: e.Kind.String(), Tick: e.Tick, Due: e.Due}
		if e.Kind == wheel.KindExpire {
			end.Late = e.Tick - e.Due
		}
		if e.Gone {
			end.Kind = "absent"
		}
		r.Ends = append(r.Ends, end)
	}
	return r
}
