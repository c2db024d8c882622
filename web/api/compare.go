package api

import (
	"context"
	"errors"
	"math"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/static"
)

// Comparison is the answer to a request for /api/compare: the rows of `wheelscope compare`, curves for each lane, and
// a summary, whose lines are in Verdict. Rows and Curves have one element per lane, in the order of the lanes.
type Comparison struct {
	Run     string        `json:"run"`
	Until   int64         `json:"until"`  // last tick of the run
	Bucket  int64         `json:"bucket"` // number of ticks per point of a curve
	Verdict []string      `json:"verdict"`
	Rows    []comparedRow `json:"rows"`
	Curves  []curve       `json:"curves"`
	// PackageTime is the row of the Go runtime's timers on the same workload; it is absent if a lane has them.
	PackageTime *comparedRow `json:"package_time,omitempty"`
	Spread      *spreading   `json:"spread,omitempty"` // absent if there is no herd that is worth spreading
}

// spreading is what spreading the herds of a run gains in the lane with the costliest tick.
type spreading struct {
	Lane   string `json:"lane"`
	Before int64  `json:"before"` // units of the costliest tick
	After  int64  `json:"after"`
}

// comparedRow is a row of a comparison: the results of one lane.
type comparedRow struct {
	engine.LaneResult
	Mean float64 `json:"mean"` // mean cost per tick in the whole run
}

// curve shows how the cost and the timers of one lane change during the run. Each list has one element per bucket, a
// range of Comparison.Bucket ticks. Mean and Worst are the mean and the highest cost per tick, Live is the number of
// pending timers at the end of the bucket, and Late and Early are the maximum lateness and earliness, in base ticks,
// of the timers that fired.
type curve struct {
	Mean  []float64 `json:"mean"`
	Worst []int64   `json:"worst"`
	Live  []int64   `json:"live"`
	Late  []int64   `json:"late"`
	Early []int64   `json:"early"`
}

// Compare returns the comparison of the lanes of run, with texts in the language lang.
func (a *Answers) Compare(ctx context.Context, run *sim.Run, lang string) (*Comparison, error) {
	chart, err := a.chart(ctx, run)
	if errors.Is(err, ErrTakesLong) {
		return nil, notCompared()
	}
	if err != nil {
		return nil, err
	}
	return compared(run, chart, lang), nil
}

// SpreadScenario is the answer to a request for /api/spread: the scenario of a run with its herds spread over their periods.
type SpreadScenario struct {
	Text string `json:"text"`
}

// LaneCosts is the answer to a request for /api/costs. Lanes[i][k] is the cost of lane i at the tick From+k.
type LaneCosts struct {
	From  int64     `json:"from"`
	Lanes [][]int64 `json:"lanes"`
}

// Costs returns the cost of each lane of run at every tick in [from, to].
func Costs(ctx context.Context, run *sim.Run, from, to int64) (*LaneCosts, error) {
	ctx, cancel := context.WithTimeout(ctx, costsWait)
	defer cancel()
	lanes, err := compare.TickCosts(ctx, run, from, to)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, texts.Errorf(texts.Unavailable, "", "from, to: the run is not computed that far yet; try again in a while")
	case err != nil:
		return nil, texts.WithKind(texts.Invalid, err)
	}
	return &LaneCosts{from, lanes}, nil
}

// chart returns the comparison of the lanes of run, from the cache if possible.
func (a *Answers) chart(ctx context.Context, run *sim.Run) (*compare.Chart, error) {
	p := run.Program()
	return a.charts.get(ctx, run.Digest(), func(ctx context.Context) (*compare.Chart, error) {
		ctx, done, err := a.Work(ctx, EngineBytes(p))
		if err != nil {
			return nil, err
		}
		defer done()
		c, err := compare.NewChart(ctx, p, nil)
		if err != nil {
			return nil, err
		}
		if c.PackageTime, err = compare.PackageTime(ctx, p); err != nil {
			return nil, err
		}
		c.Spreading, err = compare.SpreadGain(ctx, p, c.Results)
		return c, err
	})
}

// compared returns the answer to a request for /api/compare about run, with texts in the language lang. chart is the
// comparison of the lanes of run.
func compared(run *sim.Run, chart *compare.Chart, lang string) *Comparison {
	until := run.Program().Until
	out := &Comparison{Run: run.Digest()[:sim.DigestShort], Until: until, Bucket: chart.Bucket}
	out.Verdict = static.Messages(lang).Lines(append(compare.Summarize(chart.Results, 0), chart.Spreading.Words()...))
	row := func(r engine.LaneResult) comparedRow {
		return comparedRow{r, rounded(float64(r.Cost) / float64(until+1))}
	}
	for _, r := range chart.Results {
		out.Rows = append(out.Rows, row(r))
	}
	if g := chart.Spreading; g != nil {
		out.Spread = &spreading{g.Lane, g.Before, g.After}
	}
	if chart.PackageTime != nil {
		beside := row(*chart.PackageTime)
		out.PackageTime = &beside
	}
	for _, l := range chart.Lanes {
		to := curve{Worst: l.Worst, Live: l.Live, Late: l.Late, Early: l.Early}
		for _, mean := range l.Mean {
			to.Mean = append(to.Mean, rounded(mean))
		}
		out.Curves = append(out.Curves, to)
	}
	return out
}

// rounded returns x rounded to two decimals.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }
