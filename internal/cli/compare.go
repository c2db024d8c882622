package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
)

// compareColumns are the names of the columns, in the order of compareCells.
var compareColumns = []string{"lane", "algorithm", "fired", "cancelled", "rejected", "early", "early_max", "late", "late_max",
	"late_p99", "cost", "worst_tick", "worst_tick_at", "bytes_per_timer", "findings"}

func compareCells(r *sim.LaneResult) []string {
	cells := []string{r.Lane, r.Algorithm}
	for _, n := range []int64{r.Fired, r.Cancelled, r.Rejected, r.Early, r.EarlyMax, r.Late, r.LateMax,
		r.LateP99, r.Cost, r.WorstTick, r.WorstTickAt, r.BytesPerTimer, r.Findings} {
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}

// compareFormats write rows of results, by the value of --format.
var compareFormats = map[string]func(io.Writer, []sim.LaneResult) error{
	"table": compareTable,
	"csv":   compareCSV,
	"json":  func(w io.Writer, rows []sim.LaneResult) error { return writeJSON(w, rows) },
}

func newCompare(s *streams) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "compare SCENARIO | compare A B",
		Short: "Compare the lanes of a scenario, or two scenarios or traces",
		Long: `Compare runs a scenario to its last tick and prints a row a lane.

With A and B, each a scenario or a trace, it runs both in lock-step against what the
workload asks for and says which timers came out differently, what both cost, and the
first tick at which they differ. Lanes of the same id are held against each other.
A trace that is not what its scenario gives counts as it is; its costs are -1. off
is how many timers a lane did not treat as asked, off_first the tick of the first.

  fired cancelled rejected   numbers of timers (of runs, where they repeat)
  early late                 how many fired before and after their due tick
  early_max late_max         by how many base ticks at most
  late_p99                   99 of 100 timers fire at most that late
  cost                       slots examined + timers touched + comparisons + moves,
                             by the algorithm's own rule
  worst_tick worst_tick_at   the cost of the dearest tick, and the first that had it
  bytes_per_timer            memory at its peak, divided by the most live timers
  findings                   faults of the algorithm itself

` + limitsText(),
		Example: `  wheelscope compare heartbeats
  wheelscope compare mine.json trace.jsonl.gz
  wheelscope compare my.json --format csv > my.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("compare needs one SCENARIO, or A and B, %d given (see %s --help)", len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeScenarios(2),
		RunE: func(c *cobra.Command, args []string) error {
			write, ok := compareFormats[format]
			if !ok {
				return fmt.Errorf("--format: %q is not one of table, csv, json", format)
			}
			if len(args) == 2 {
				return s.compareTwo(c.Context(), args, format)
			}
			p, err := loadScenario(c.Context(), args[0], s.in)
			if err != nil {
				return err
			}
			bar := s.progress(io.Discard, p.Until, "comparing")
			rows, err := sim.Compare(c.Context(), p, sim.TraceOptions{Progress: bar.set})
			bar.done()
			if err != nil {
				return err
			}
			return write(s.out, rows)
		},
	}
	c.Flags().StringVar(&format, "format", "table", "`FORMAT` of the rows: table, csv or json")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"table", "csv", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func compareTable(w io.Writer, rows []sim.LaneResult) error {
	cells := make([][]string, 0, len(rows))
	for i := range rows {
		cells = append(cells, compareCells(&rows[i]))
	}
	return writeTable(w, compareColumns, cells)
}

// csvRow is a row of which the first cells are texts and the others numbers, as CSV.
func csvRow(cells []string, texts int) []string {
	for i := range texts {
		cells[i] = export.Cell(cells[i])
	}
	return cells
}

func compareCSV(w io.Writer, rows []sim.LaneResult) error {
	out := csv.NewWriter(w)
	out.Write(compareColumns)
	for i := range rows {
		out.Write(csvRow(compareCells(&rows[i]), 2))
	}
	out.Flush()
	return out.Error()
}
