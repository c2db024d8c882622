package lab

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
)

// compareColumns are the names of the columns of the table that compare prints, in the order of the cells
// that compareCells returns.
var compareColumns = []string{"lane", "algorithm", "fired", "cancelled", "rejected", "early", "early_max", "late", "late_max",
	"late_p99", "cost", "worst_tick", "worst_tick_at", "bytes_per_timer", "findings", "operations", "passed_over", "ticks", "bytes"}

func compareCells(r *engine.LaneResult) []string {
	cells := []string{r.Lane, r.Algorithm}
	for _, n := range []int64{r.Fired, r.Cancelled, r.Rejected, r.Early, r.EarlyMax, r.Late, r.LateMax,
		r.LateP99, r.Cost, r.WorstTick, r.WorstTickAt, r.BytesPerTimer, r.Findings, r.Operations, r.PassedOver, r.Ticks, r.Bytes} {
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}

// compareFormats are the values that the --format flag of the compare command accepts.
var compareFormats = []string{"table", "csv", "json", "benchfmt"}

// compareFlags holds the flags of the compare command.
type compareFlags struct {
	format   string
	exitCode bool     // whether the command exits with code 1 if the two runs differ
	with     []string // algorithms whose results are added to the rows; only "go"
	late     string   // lateness that the verdict accepts: ticks, or a duration
	shape    console.TableFlags
}

// check returns an error if the value of --format is invalid, if --exit-code is set and args does not have two
// elements, if --columns or --wide is set for a format other than "table", or if --columns selects a column that
// is not in columns, the columns of the table to print. asJSON reports whether the user has set the --json flag.
// If so, check first sets f.format to "json".
func (f *compareFlags) check(args, columns []string, asJSON bool) error {
	if asJSON {
		f.format = "json"
	}
	switch {
	case !slices.Contains(compareFormats, f.format):
		return fmt.Errorf("--format: %q is not one of %s", f.format, strings.Join(compareFormats, ", "))
	case len(f.with) > 0 && (len(f.with) > 1 || f.with[0] != "go"):
		return fmt.Errorf("--with: %q is not go", strings.Join(f.with, ","))
	case f.late != "0" && len(args) == 2:
		return errors.New("--accept-late is for one SCENARIO; A and B were given")
	case len(f.with) > 0 && len(args) == 2:
		return errors.New("--with is for one SCENARIO; A and B were given")
	case f.exitCode && len(args) != 2:
		return errors.New("--exit-code needs A and B to compare; one SCENARIO was given")
	case f.format != "table" && (f.shape.Wide || len(f.shape.Columns) > 0):
		return errors.New("--columns and --wide are for tables")
	}
	return f.shape.Check(columns)
}

func newCompare(s *console.Streams) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare SCENARIO | compare A B",
		Short: "Compare the lanes of a scenario, or two scenarios or traces",
		Long: `Compare runs a scenario to its last tick and prints a row for each lane.

With A and B, each a scenario or a trace, it runs both in lock-step and compares lanes that have
the same id. It prints the timers with different outcomes, the costs of both, and the first tick
at which they differ. It also compares each lane with the oracle, which follows from the workload
alone: off is the number of timers with another outcome, and off_first the tick of the first.

A and B are equal if they have the same workload, until and lanes, if every timer ends at the same
tick in both, and if lanes of the same algorithm emit the same events. With --exit-code it exits
with 0 if they are equal, 1 if they differ and 2 after an error. If a trace differs from the run of
its scenario, its recorded events are compared, and its costs are -1.

  fired cancelled rejected   numbers of timers (of runs, if timers repeat)
  early late                 numbers of timers that fired before and after their due tick
  early_max late_max         by how many base ticks at most
  late_p99                   99 % of the timers are at most this many base ticks late
  cost                       slots examined + timers touched + comparisons + moves,
                             by the algorithm's own rule
  worst_tick worst_tick_at   the cost of the costliest tick, and the first tick with that cost
  bytes_per_timer            peak memory, divided by the peak number of live timers
  findings                   faults of the algorithm itself
  operations                 operations of the workload, and runs that fired
  passed_over                timers read or compared besides those scheduled, cancelled,
                             fired or moved
  ticks                      ticks in which the lane had events
  bytes                      peak memory

A table ends with the timers of the Go runtime on the same workload, as a marked row, unless the
scenario has a lane go; --with go adds the row to the other formats, too. Below it is the verdict.

A table that is wider than the terminal, or than the environment variable COLUMNS, is printed in
pieces. --wide prints it in one piece, and --columns selects columns. The format benchfmt is for
benchstat.

` + limitsText(),
		Example: `  wheelscope compare heartbeats
  wheelscope compare heartbeats --columns lane,cost,worst_tick
  wheelscope compare mine.json trace.jsonl.gz
  wheelscope compare my.json --format csv > my.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return fmt.Errorf("compare needs one SCENARIO, or A and B, %d given (see %s --help)", len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: input.CompleteScenarios(2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return compareTwo(c.Context(), s, args, &f)
			}
			return compareLanes(c.Context(), s, args, &f)
		},
	}
	c.Flags().StringVar(&f.format, "format", "table", "`FORMAT` of the rows: "+strings.Join(compareFormats, ", "))
	c.Flags().StringSliceVar(&f.with, "with", nil, "add a row for `ALGORITHM`, which must be go, in every format")
	c.Flags().StringVar(&f.late, "accept-late", "0", "`LATENESS` that the verdict accepts, such as 5ms")
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "exit with 1 if A and B differ")
	f.shape.Register(c, twoRunColumns)
	s.JSONFlag(c, "the rows")
	c.MarkFlagsMutuallyExclusive("json", "format")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(compareFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// compareLanes compares the lanes of the scenario args[0] and prints one row per lane, in the format
// f.format.
func compareLanes(ctx context.Context, s *console.Streams, args []string, f *compareFlags) error {
	if err := f.check(args, compareColumns, s.JSON); err != nil {
		return err
	}
	p, err := input.Load(ctx, args[0], s.In)
	if err != nil {
		return err
	}
	accept, err := lateTicks(f.late, p)
	if err != nil {
		return err
	}
	bar := s.Progress(io.Discard, p.Until, "comparing")
	rows, err := compare.Lanes(ctx, p, bar.Set)
	bar.Done()
	if err != nil {
		return err
	}
	var beside *engine.LaneResult
	prose := f.format == "table" && len(f.shape.Columns) == 0 // a program that selects columns reads only the table
	var verdict []string
	if prose {
		gain, err := compare.SpreadGain(ctx, p, rows)
		if err != nil {
			return err
		}
		verdict = static.Messages("en").Lines(append(compare.Summarize(rows, accept), gain.Words()...))
	}
	if prose || len(f.with) > 0 {
		if beside, err = compare.PackageTime(ctx, p); err != nil {
			return err
		}
		if beside != nil {
			rows = append(rows, *beside)
		}
	}
	cells := make([][]string, 0, len(rows))
	for i := range rows {
		cells = append(cells, compareCells(&rows[i]))
	}
	switch f.format {
	case "csv":
		return writeCSV(s.Out, compareColumns, cells, 2)
	case "json":
		return console.WriteJSON(s.Out, rows)
	case "benchfmt":
		return benchfmt(s.Out, p, rows)
	}
	if beside != nil {
		cells[len(cells)-1][0] += " *"
		verdict = append(verdict, "* the timers of the Go runtime on the same workload, which are not a lane of the scenario")
	}
	if err := f.shape.Write(s.Out, compareColumns, cells, 1); err != nil || !prose {
		return err
	}
	return f.shape.WriteText(s.Out, append([]string{""}, verdict...))
}

// lateTicks converts the value of --accept-late, a number of base ticks or a duration such as 5ms, to base ticks of p,
// rounded down.
func lateTicks(text string, p *program.Program) (int64, error) {
	ticks, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		var tick int64
		if tick, err = scenario.ParseTick(p.Scenario.Tick); err != nil {
			return 0, err
		}
		var d time.Duration
		d, err = time.ParseDuration(text)
		ticks = int64(d) / tick
	}
	if err != nil || ticks < 0 {
		return 0, fmt.Errorf("--accept-late: %q is neither a number of ticks nor a duration such as 5ms, 0 or more", text)
	}
	return ticks, nil
}

// writeCSV writes the column names and rows as CSV. The first texts cells of each row contain text, and the
// others contain numbers. writeCSV changes text that a spreadsheet program would interpret as a formula.
func writeCSV(w io.Writer, columns []string, rows [][]string, texts int) error {
	out := csv.NewWriter(w)
	out.Write(columns)
	for _, cells := range rows {
		for i := range texts {
			cells[i] = export.Cell(cells[i])
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}
