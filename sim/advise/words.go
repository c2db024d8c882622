package advise

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	shareSmall = 0.01 // part of a core below which the choice of a structure hardly matters
	equalNamed = 5    // maximum number of equal structures that are named
)

// Words returns the advice in sentences: the recommendation with its numbers, what is equal, why the runner-up is slower,
// what changes with ten times the timers, and how it was found.
func (a *Advice) Words() []string {
	tick := a.Workload.Tick
	list := []string{a.sentence("Use ", a.Best)}
	if i := slices.IndexFunc(a.Results, func(r *Result) bool { return r.Algorithm == PackageTime }); i >= 0 && a.Results[i] != a.Best && a.Share(a.Results[i]) < shareSmall {
		list = append(list, fmt.Sprintf("Package time takes %s of a core at this rate, so the choice hardly matters: a program that uses it can keep it.", percent(a.Share(a.Results[i]))))
	}
	if len(a.Equal) > 0 {
		var names []string
		for _, r := range a.Equal[:min(len(a.Equal), equalNamed)] {
			names = append(names, fmt.Sprintf("%s (%s)", r.Name(tick), nanos(r.Time())))
		}
		if more := len(a.Equal) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("%d more", more))
		}
		list = append(list, "As fast within 10 %, and not less late with less memory: "+strings.Join(names, "; ")+".")
	}
	if a.Runner != nil {
		list = append(list, fmt.Sprintf("Runner-up: %s takes %s an operation, %.1f times as much%s.", a.Runner.Name(tick), nanos(a.Runner.Time()), a.Runner.Time()/a.Best.Time(), a.reason()))
	}
	if a.Best.Tenfold > 0 {
		s := fmt.Sprintf("With ten times the timers the model expects %s an operation", nanos(a.Best.Tenfold))
		if a.Runner != nil && a.Runner.Tenfold > 0 {
			s += fmt.Sprintf(", and %s of the runner-up", nanos(a.Runner.Tenfold))
			if a.Runner.Tenfold < a.Best.Tenfold {
				s += ", which is then the better choice"
			}
		}
		list = append(list, s+".")
	}
	if h := a.Workload.Herd; h != nil {
		period := time.Duration(h.Every) * tick
		list = append(list, fmt.Sprintf("%d timers with a period of %v fire in one tick. Spread over the period, as timer.WithJitter(1) does, %d fire in a tick.",
			h.Timers, period, (int64(h.Timers)+h.Every-1)/h.Every))
	}
	return append(list, a.method())
}

// sentence returns the sentence about r, which begins with verb.
func (a *Advice) sentence(verb string, r *Result) string {
	s := fmt.Sprintf("%s%s: %s an operation, %s of a core at %s operations/s, ", verb, r.Name(a.Workload.Tick), nanos(r.Time()), percent(a.Share(r)), rounded(a.Workload.Rate()))
	if r.Late > 0 {
		s += fmt.Sprintf("at most %v late, ", r.Late)
	} else {
		s += "never late by its own rule, "
	}
	return s + FormatBytes(r.Bytes) + "."
}

// reason returns the main reason why the runner-up is slower, as a clause.
func (a *Advice) reason() string {
	events := float64(a.Workload.Events)
	passed := (float64(a.Runner.PassedOver) - float64(a.Best.PassedOver)) / events
	ticks := (float64(a.Runner.Ticks) - float64(a.Best.Ticks)) / events
	pending := a.Workload.Pending()
	near, far := a.Latencies.at(a.Best.footprint(pending)), a.Latencies.at(a.Runner.footprint(pending))
	switch reads := (far - near) * readsPerScattered * float64(a.Runner.Scattered) / events; {
	case a.Runner.Algorithm == PackageTime:
		return ": it allocates each timer and keeps them in a heap"
	case passed*nsPerPassed+passed*readsPerPassed*far >= max(reads, ticks*nsPerTick, 1):
		return fmt.Sprintf(": it passes over %.1f more timers in each operation", passed)
	case ticks*nsPerTick >= max(reads, 1):
		return fmt.Sprintf(": it works in %d ticks, not %d", a.Runner.Ticks, a.Best.Ticks)
	case reads >= 1:
		return fmt.Sprintf(": its %s are read more slowly than %s", FormatBytes(a.Runner.Bytes), FormatBytes(a.Best.Bytes))
	}
	return ""
}

// method returns the sentence that says how the advice was found, and of what.
func (a *Advice) method() string {
	w := a.Workload
	sample := fmt.Sprintf("the whole workload: %d operations", w.Operations)
	if !w.Whole {
		sample = fmt.Sprintf("%v of the workload: %d of its %d operations", w.Duration().Round(w.Tick), w.Events-w.Fired, w.Operations)
	}
	s := fmt.Sprintf("%d of %d structures could meet the constraints and were counted on %s, %d expiries, %d timers pending at the start; times are for each of both", a.Counted, a.Space, sample, w.Fired, w.Pending())
	if !a.Timed {
		return s + "; nothing was timed, and times are those of a model for a typical machine."
	}
	s += fmt.Sprintf("; the best %d by the model were timed without callbacks, locks and clock (%s, least of up to %d)", len(a.shortlist()), timeOf, repeats)
	if a.Lock > 0 && a.Best.Algorithm != PackageTime {
		s += fmt.Sprintf("; package timer adds a lock and a clock, about %s an operation here, which package time has already", nanos(a.Lock))
	}
	return s + "."
}

func nanos(ns float64) string {
	if ns < 10 {
		return fmt.Sprintf("%.1f ns", ns)
	}
	return fmt.Sprintf("%.0f ns", ns)
}

func percent(share float64) string {
	if share < 0.1 {
		return fmt.Sprintf("%.2g %%", share*100)
	}
	return fmt.Sprintf("%.0f %%", share*100)
}

// rounded formats a number with three digits.
func rounded(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.3g", x)
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return fmt.Sprintf("%.0f", math.Round(x/step)*step)
}

// Row is a result for a table or for JSON.
type Row struct {
	Name       string  `json:"name"`
	Algorithm  string  `json:"algorithm"`
	TickNanos  int64   `json:"tick_ns"` // length of a tick of the structure
	NS         float64 `json:"ns"`      // nanoseconds of an operation; as timed if Timed
	Timed      bool    `json:"timed"`
	Model      float64 `json:"model_ns"` // the same by the model
	Share      float64 `json:"core"`     // part of a core at the rate of the workload
	LateNanos  int64   `json:"late_ns"`
	Bytes      int64   `json:"bytes"`
	PassedOver int64   `json:"passed_over"`
	Ticks      int64   `json:"ticks"`
	WorstTick  int64   `json:"worst_tick"`
	Cost       int64   `json:"cost"`
	Front      bool    `json:"front"`            // whether it is on the Pareto front of time, lateness and memory
	Equal      bool    `json:"equal"`            // whether it is as fast as the best within 10 %
	Tenfold    float64 `json:"ns_10x,omitempty"` // nanoseconds with ten times the timers, by the model
}

// Row returns r as a Row.
func (a *Advice) Row(r *Result) Row {
	tick := a.Workload.Tick
	round := func(x float64) float64 { return math.Round(x*1000) / 1000 }
	row := Row{Name: r.Name(tick), Algorithm: r.Algorithm, TickNanos: int64(tick) * r.Width, NS: round(r.Time()), Timed: r.NS > 0, Model: round(r.Predicted),
		Share: math.Round(a.Share(r)*1e6) / 1e6, LateNanos: int64(r.Late), Bytes: r.Bytes, PassedOver: r.PassedOver, Ticks: r.Ticks, WorstTick: r.WorstTick,
		Cost: r.Cost, Front: r.Front, Equal: r == a.Best, Tenfold: round(r.Tenfold)}
	for _, e := range a.Equal {
		row.Equal = row.Equal || e == r
	}
	return row
}

// Report is an advice for JSON.
type Report struct {
	Workload string    `json:"workload"`
	Machine  string    `json:"machine,omitempty"` // absent if nothing was timed
	Date     time.Time `json:"date,omitzero"`
	Partial  bool      `json:"partial"` // whether it was interrupted
	Words    []string  `json:"words"`
	Go       []string  `json:"go"`      // statements that build the recommendation
	Imports  []string  `json:"imports"` // packages that they need
	Best     Row       `json:"best"`
	Rows     []Row     `json:"rows"` // the structures that were timed or, if none was, the best by the model
}

// rowsMax is the maximum number of rows of a Report.
const rowsMax = 24

// Report returns a as a Report. machine describes the machine, for an advice that was timed.
func (a *Advice) Report(machine string) *Report {
	r := &Report{Workload: a.Workload.Name, Partial: a.Partial, Words: a.Words(), Best: a.Row(a.Best)}
	r.Go, r.Imports = a.Best.GoLines(a.Workload.Tick)
	if a.Timed {
		r.Machine, r.Date = machine, a.Began.UTC().Truncate(time.Second)
	}
	for _, x := range a.Results {
		if len(r.Rows) < rowsMax && (x.NS > 0 || !a.Timed) {
			r.Rows = append(r.Rows, a.Row(x))
		}
	}
	return r
}
