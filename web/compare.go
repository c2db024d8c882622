package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// comparison is the answer of /api/compare: the rows of `wheelscope compare`, a curve for each
// lane, and the verdict in words.
type comparison struct {
	Run     string        `json:"run"`
	Until   int64         `json:"until"`
	Bucket  int64         `json:"bucket"` // ticks per point of a curve
	Verdict []string      `json:"verdict"`
	Rows    []comparedRow `json:"rows"`
	Curves  []curve       `json:"curves"`
}

type comparedRow struct {
	sim.LaneResult
	Mean float64 `json:"mean"` // cost per tick, over the whole run
}

// curve holds a value for each bucket, as sim.Curve does.
type curve struct {
	Mean  []float64 `json:"mean"`
	Worst []int64   `json:"worst"`
	Live  []int64   `json:"live"`
	Late  []int64   `json:"late"`
	Early []int64   `json:"early"`
}

// chart returns the comparison of a run's lanes, computed or from the cache.
func (s *Server) chart(ctx context.Context, run *sim.Run) (*sim.Chart, error) {
	p := run.Program()
	return s.charts.of(ctx, run.Digest(), func(ctx context.Context) (*sim.Chart, error) {
		ctx, done, err := s.work(ctx, engineBytes(p))
		if err != nil {
			return nil, err
		}
		defer done()
		return sim.NewChart(ctx, p)
	})
}

// compare answers with the comparison of a run's lanes.
func (s *Server) compare(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), protocol.AnswerWait)
	defer cancel()
	chart, err := s.chart(ctx, run)
	if errors.Is(err, errTakesLong) {
		return notCompared(makingWait)
	}
	if err != nil {
		return err
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, compared(run, chart, s.language(c)))
}

// compared returns the answer of /api/compare in a language.
func compared(run *sim.Run, chart *sim.Chart, lang string) comparison {
	until := run.Program().Until
	out := comparison{Run: run.Digest()[:sim.DigestShort], Until: until, Bucket: chart.Bucket}
	for _, text := range sim.Verdict(chart.Results) {
		out.Verdict = append(out.Verdict, text.In(lang))
	}
	for _, r := range chart.Results {
		out.Rows = append(out.Rows, comparedRow{r, rounded(float64(r.Cost) / float64(until+1))})
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

// keepForRun lets a browser cache an answer that depends on the run only: a run never changes.
func keepForRun(c echo.Context) {
	c.Response().Header().Set("Cache-Control", "private, max-age=600")
	c.Response().Header().Add("Vary", "Accept-Language")
}

// costs sends each lane's cost at every tick from `from` to `to`.
func (s *Server) costs(c echo.Context) error {
	run, err := s.lookup(c)
	if err != nil {
		return err
	}
	var at [2]int64
	for i, name := range [...]string{"from", "to"} {
		if at[i], err = strconv.ParseInt(c.QueryParam(name), 10, 64); err != nil {
			return deny(http.StatusBadRequest, "%s: %q is not a tick", name, usererr.Clip(c.QueryParam(name)))
		}
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), costsWait)
	defer cancel()
	lanes, err := run.TickCosts(ctx, at[0], at[1])
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return deny(http.StatusServiceUnavailable, "from, to: this far the run is not computed yet; try again in a while")
	case err != nil:
		return echo.NewHTTPError(http.StatusBadRequest, usererr.Describe(err, s.language(c)).Error())
	}
	keepForRun(c)
	return c.JSON(http.StatusOK, map[string]any{"from": at[0], "lanes": lanes})
}
