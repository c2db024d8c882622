package export

import (
	"bufio"
	"encoding/csv"
	"strconv"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// csvHeader lists the columns. For each tick in which any lane has work or an operation is executed, there is a row
// for each lane. "waiting" is the number of timers pending at the end of the tick, and "cost_total" is the cost since
// the start, including that of ticks without rows. The other numbers are counts or costs for that tick alone.
var csvHeader = []string{"tick", "lane", "algorithm", "waiting", "scheduled", "fired", "early", "late", "cancelled", "rejected",
	"cascaded", "findings", "cost", "cost_total"}

// csvFile is a formatWriter that writes the event counts and costs of a run as CSV (RFC 4180).
type csvFile struct {
	p   *program.Program
	e   *engine.Engine
	out *csv.Writer
	now []csvCounts // counts in the current tick, indexed by lane
	row []string
}

// csvCounts holds the event counts of a lane for one tick.
type csvCounts struct{ scheduled, fired, early, late, cancelled, rejected, cascaded, findings int64 }

func newCSV(p *program.Program, e *engine.Engine, w *bufio.Writer, _ int) (formatWriter, error) {
	return &csvFile{p: p, e: e, out: csv.NewWriter(w), now: make([]csvCounts, len(p.Scenario.Lanes))}, nil
}

func (c *csvFile) begin() error { return c.out.Write(csvHeader) }

func (c *csvFile) records(recs []engine.Record) error {
	for i := range recs {
		c.now[recs[i].Lane].count(&recs[i], c.p.Start)
	}
	return nil
}

func (c *csvFile) tick(t int64) error {
	for i := range c.now {
		if err := c.out.Write(c.line(t, i)); err != nil {
			return err
		}
	}
	clear(c.now)
	return nil
}

func (n *csvCounts) count(r *engine.Record, start int64) {
	switch r.Kind {
	case wheel.KindSchedule:
		n.scheduled++
	case wheel.KindExpire:
		n.fired++
		if late := r.Late(start); late > 0 {
			n.late++
		} else if late < 0 {
			n.early++
		}
	case wheel.KindCancel, wheel.KindMark:
		n.cancelled++
	case wheel.KindReject:
		n.rejected++
	case wheel.KindCascade:
		n.cascaded++
	case wheel.KindFinding:
		n.findings++
	}
}

// line returns the row for lane i at tick t.
func (c *csvFile) line(t int64, i int) []string {
	lane, n, cost := c.e.Lane(i), &c.now[i], c.e.Lane(i).Cost()
	spec := &c.p.Scenario.Lanes[i]
	c.row = append(c.row[:0], strconv.FormatInt(t, 10), Cell(spec.ID), spec.Algorithm)
	for _, v := range [...]int64{int64(lane.Waiting()), n.scheduled, n.fired, n.early, n.late, n.cancelled, n.rejected,
		n.cascaded, n.findings, cost.Tick, cost.Total} {
		c.row = append(c.row, strconv.FormatInt(v, 10))
	}
	return c.row
}

func (c *csvFile) end() error {
	c.out.Flush()
	return c.out.Error()
}
