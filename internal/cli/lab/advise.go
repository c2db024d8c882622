package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/advise"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/templates"
)

// adviseFlags holds the flags of the advise command.
type adviseFlags struct {
	questions advise.Questions
	options   advise.Options
	memory    string
	html      string // file for the advice as a page
	scale     int
	shape     console.TableFlags
}

// adviseGrace is how long the command may take to print the best so far after Ctrl+C.
const adviseGrace = 5 * time.Second

func newAdvise(s *console.Streams) *cobra.Command {
	var f adviseFlags
	c := &cobra.Command{
		Use:   "advise WORKLOAD | advise --pending N --delay DURATION",
		Short: "Recommend a timer structure for a workload, by timing",
		Long: `Advise recommends the structure that takes the least time for a workload on this machine. It
counts the work of all structures that meet the constraints, times the dozen best ones and
package time, and prints the recommendation, the Go lines that build it, and a table. Structures
within 10 % are equal; among them the least late one is recommended, then the smallest.

WORKLOAD is a scenario, whose lanes are ignored, a trace, or what "wheelscope import" reads.
Without it, --pending and --delay describe a steady workload, with --reset-share and
--cancel-share as the shares of timers that end in that way.

Timings take a minute or more. Ctrl+C ends them and prints the best so far. With --no-time
nothing is timed: times are those of a model, and the output is the same on every machine. With
--html the advice is also written as a page with a diagram.
docs/choosing.md says what the figures mean and what they leave out.`,
		Example: `  wheelscope advise heartbeats
  wheelscope advise --pending 200000 --delay 60s --reset-share 0.99 --accept-late 100ms
  wheelscope advise timers.csv --memory-max 16MB --scale 10`,
		Args: func(c *cobra.Command, args []string) error {
			if asked := c.Flags().Changed("pending") || c.Flags().Changed("delay"); len(args) > 1 || asked == (len(args) == 1) {
				return errors.New("advise needs either one WORKLOAD, or --pending and --delay (see wheelscope advise --help)")
			}
			for _, share := range []string{"reset-share", "cancel-share"} {
				if len(args) == 1 && c.Flags().Changed(share) {
					return fmt.Errorf("--%s goes with --pending and --delay; a WORKLOAD was given", share)
				}
			}
			return nil
		},
		ValidArgsFunction: input.CompleteScenarios(1),
		RunE: func(c *cobra.Command, args []string) error {
			return adviseWorkload(c.Context(), s, args, &f)
		},
	}
	c.Flags().IntVar(&f.questions.Pending, "pending", 0, "`N` timers are pending at any time")
	c.Flags().DurationVar(&f.questions.Delay, "delay", 0, "delay of every timer, a `DURATION`")
	c.Flags().Float64Var(&f.questions.ResetShare, "reset-share", 0, "`SHARE` of timers that are reset before they are due, 0 to 1")
	c.Flags().Float64Var(&f.questions.CancelShare, "cancel-share", 0, "`SHARE` of timers that are cancelled before they are due, 0 to 1")
	c.Flags().DurationVar(&f.options.AcceptLate, "accept-late", time.Millisecond, "how late a timer may fire because of the structure, a `DURATION`")
	c.Flags().StringVar(&f.memory, "memory-max", "", "maximum memory of the structure, `BYTES` such as 16MB")
	c.Flags().Int64Var(&f.options.WorstTickMax, "worst-tick-max", 0, "maximum units of work in one tick, `N`")
	c.Flags().IntVar(&f.scale, "scale", 1, "`N` times the timers")
	c.Flags().BoolVar(&f.options.NoTime, "no-time", false, "count only; the same output on every machine")
	c.Flags().StringVar(&f.html, "html", "", "also write the advice as a page with a diagram to `FILE`")
	f.shape.Register(c, adviseColumns)
	s.JSONFlag(c, "the advice")
	return c
}

var adviseColumns = []string{"structure", "ns", "core", "late", "bytes", "passed_over", "ticks", "worst_tick", "front"}

func adviseWorkload(ctx context.Context, s *console.Streams, args []string, f *adviseFlags) error {
	o := &f.options
	var err error
	switch o.MemoryMax, err = parseBytes(f.memory); {
	case err != nil:
		return err
	case o.AcceptLate < 0:
		return fmt.Errorf("--accept-late: %v is not 0 or more", o.AcceptLate)
	case o.WorstTickMax < 0:
		return fmt.Errorf("--worst-tick-max: %d is not 0 or more", o.WorstTickMax)
	}
	if err := f.shape.Check(adviseColumns); err != nil {
		return err
	}
	w, err := f.workload(ctx, s, args)
	if err != nil {
		return err
	}
	if w, err = w.Scaled(f.scale); err != nil {
		return err
	}
	s.SetGrace(adviseGrace)
	const steps = 1 << 16 // the number of steps is known only later
	bar := s.Progress(io.Discard, steps, "advising")
	o.Progress = func(done, total int) { bar.Set(int64(done) * steps / int64(total)) }
	a, err := advise.Advise(ctx, w, *o)
	bar.Done()
	if err != nil {
		return err
	}
	r := a.Report(machine())
	if f.html != "" {
		if err := s.WriteOutput(ctx, f.html, func(w io.Writer) error { return advicePage(a, r).Render(ctx, w) }); err != nil {
			return err
		}
	}
	return writeAdvice(s, r, &f.shape)
}

// workload returns the workload of the arguments or of the flags.
func (f *adviseFlags) workload(ctx context.Context, s *console.Streams, args []string) (*advise.Workload, error) {
	if len(args) == 0 {
		return f.questions.Workload()
	}
	stream := advise.NewStream()
	res, err := input.Import(ctx, args[0], s.In, importer.Options{Spill: stream.Add})
	if err != nil {
		return nil, err
	}
	if res.Kind != importer.KindScenario {
		reportImport(s, args[0], res)
	}
	var w *advise.Workload
	if res.Program != nil {
		w, err = advise.FromProgram(res.Program)
	} else {
		w, err = stream.Workload(res.Name, res.Tick)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(args[0]), err)
	}
	return w, nil
}

// advicePage returns the advice as a page.
func advicePage(a *advise.Advice, r *advise.Report) templ.Component {
	v := templates.Advice{Title: r.Workload, Words: r.Words, Lines: r.Go, Columns: adviseColumns, Rows: adviceRows(r), Machine: timedOn(r)}
	for _, x := range a.Results {
		v.Points = append(v.Points, templates.AdvicePoint{Name: x.Name(a.Workload.Tick), NS: x.Time(), Bytes: float64(max(x.Bytes, 1)), Timed: x.NS > 0, Front: x.Front, Best: x == a.Best})
	}
	return templates.AdviceView(v)
}

// timedOn returns the sentence about the machine, or "" if nothing was timed.
func timedOn(r *advise.Report) string {
	if r.Machine == "" {
		return ""
	}
	return fmt.Sprintf("Timed on %s, %s.", r.Machine, r.Date.Format(time.DateOnly))
}

func writeAdvice(s *console.Streams, r *advise.Report, shape *console.TableFlags) error {
	if s.JSON {
		return console.WriteJSON(s.Out, r)
	}
	text := r.Words
	if r.Partial {
		text = append([]string{"Interrupted: the best so far."}, text...)
	}
	if on := timedOn(r); on != "" {
		text = append(text, on)
	}
	text = append(text, "", "Go:")
	for _, line := range r.Go {
		text = append(text, "  "+line)
	}
	if err := shape.WriteText(s.Out, append(text, "")); err != nil {
		return err
	}
	return shape.Write(s.Out, adviseColumns, adviceRows(r), 1)
}

// adviceRows returns the cells of the table.
func adviceRows(r *advise.Report) (rows [][]string) {
	for _, x := range r.Rows {
		ns, front := strconv.FormatFloat(x.NS, 'f', 1, 64), "-"
		if !x.Timed {
			ns = "~" + ns
		}
		if x.Front {
			front = "yes"
		}
		rows = append(rows, []string{x.Name, ns, strconv.FormatFloat(x.Share*100, 'g', 3, 64) + "%", time.Duration(x.LateNanos).String(), strconv.FormatInt(x.Bytes, 10),
			strconv.FormatInt(x.PassedOver, 10), strconv.FormatInt(x.Ticks, 10), strconv.FormatInt(x.WorstTick, 10), front})
	}
	return rows
}

// machine describes this machine.
func machine() string {
	model := runtime.GOARCH
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d processors, %s/%s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// byteUnits are the units of --memory-max.
var byteUnits = map[string]int64{"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

// parseBytes converts a number of bytes such as 16MB; "" means no limit.
func parseBytes(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(text, "BkKMGi ")
	unit, ok := byteUnits[strings.TrimSpace(text[len(number):])]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n > 0) || n*float64(unit) > math.MaxInt64/2 || n*float64(unit) < 1 {
		return 0, fmt.Errorf("--memory-max: %q is not a number of bytes such as 16MB, 1 or more", text)
	}
	return int64(n * float64(unit)), nil
}
