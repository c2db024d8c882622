package sim

import "github.com/wheelscope/wheelscope/wheel"

// ContestReport is a contest as programs read it: the answer of the page's server
// and of `wheelscope compare A B --format json`. Ticks are relative to start.
type ContestReport struct {
	Sides     []SideReport    `json:"sides"`
	Until     int64           `json:"until"`      // firings are compared up to here
	SameWork  bool            `json:"same_work"`  // every operation is in both
	WorkApart int64           `json:"work_apart"` // tick of the first operation only one has; −1: none
	Verdict   []string        `json:"verdict"`
	Rows      []ContestRow    `json:"rows"`
	Differing int64           `json:"differing"`       // runs of timers that came out differently
	More      bool            `json:"more,omitempty"`  // and more, not counted
	First     *MeetingReport  `json:"first,omitempty"` // absent: they never differ
	Events    *EventReport    `json:"events,omitempty"`
	Timers    []MeetingReport `json:"timers"` // the first MeetingsMax of those that differ
}

// SideReport is a side: A is the first.
type SideReport struct {
	Side    string `json:"side"`
	Name    string `json:"name"`
	Digest  string `json:"digest"` // of its scenario
	Until   int64  `json:"until"`
	Altered int64  `json:"altered,omitempty"` // of a trace: its first line that its scenario does not give
}

// ContestRow is a lane: what it came to, and how it stands to the oracle. Of a trace
// that its scenario does not give costs and bytes are −1: lines do not tell them.
type ContestRow struct {
	Side string `json:"side,omitempty"`
	LaneResult
	Off      int64 `json:"off"` // runs of timers not treated as the workload asks
	OffMore  bool  `json:"off_more,omitempty"`
	OffFirst int64 `json:"off_first"` // tick of the first of them, −1: none
}

// MeetingReport is a run of a timer that came out differently.
type MeetingReport struct {
	Timer string      `json:"timer"`
	Run   uint32      `json:"run"`
	Due   int64       `json:"due"`
	Tick  int64       `json:"tick"` // the first at which the lanes differ
	Ends  []EndReport `json:"ends"`
}

// EndReport is what became of it in a lane: `kind` is "expire", "reject" or "cancel",
// "" for nothing, or "absent" where the side has no such timer. With the last two tick
// and late mean nothing.
type EndReport struct {
	Side string `json:"side,omitempty"`
	Lane string `json:"lane"`
	Kind string `json:"kind"`
	Tick int64  `json:"tick"`
	Due  int64  `json:"due"`  // as its own side has it
	Late int64  `json:"late"` // of an expire: tick − due
}

// EventReport is the first event of two like lanes that only one side tells.
type EventReport struct {
	Lane  string    `json:"lane"`
	Tick  int64     `json:"tick"`
	Lines [2]string `json:"lines"` // of A and B, as in a trace; "": nothing more at that tick
}

// Report tells the contest in a language.
func (c *Contest) Report(lang string) *ContestReport {
	r := &ContestReport{Until: c.Until, SameWork: c.Apart < 0, WorkApart: c.Apart, Rows: []ContestRow{}, Timers: []MeetingReport{}}
	for side := range c.Sides {
		r.addSide(c, side)
	}
	for _, text := range c.Words() {
		r.Verdict = append(r.Verdict, text.In(lang))
	}
	r.Differing, r.More = c.Differing()
	for _, at := range c.Meetings {
		r.Timers = append(r.Timers, c.meeting(at))
	}
	if len(r.Timers) > 0 {
		r.First = &r.Timers[0]
	}
	if e := c.Events; e != nil {
		r.Events = &EventReport{c.Rows[0][c.Groups[e.Group][0].Lane].Lane, e.Tick, e.Lines}
	}
	return r
}

func (r *ContestReport) addSide(c *Contest, side int) {
	s := &c.Sides[side]
	told := SideReport{SideLetter(side), s.Name, s.Program.Digest(), s.Program.Until, 0}
	if s.Trace != nil && s.Trace.Diff != nil {
		told.Altered = s.Trace.Diff.Line
	}
	r.Sides = append(r.Sides, told)
	for lane, row := range c.Rows[side] {
		score := &c.Against[side][lane]
		out := ContestRow{c.letter(side), row, score.Differing, score.More, -1}
		if score.First != nil {
			out.OffFirst = score.First.Tick
		}
		r.Rows = append(r.Rows, out)
	}
}

// letter is a side's, "" where there is one only.
func (c *Contest) letter(side int) string {
	if len(c.Sides) == 1 {
		return ""
	}
	return SideLetter(side)
}

func (c *Contest) meeting(at *Meeting) MeetingReport {
	r := MeetingReport{at.Timer, at.Run, at.Due, at.Tick, nil}
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
