package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/static"
)

func newImport(s *console.Streams) *cobra.Command {
	var out, lanes, tick string
	var mapped, mappedOps map[string]string
	var w importer.WorkloadOptions
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Convert a trace or a workload of another program to a scenario",
		Long: `Import reads a file (packed by gzip or not, or "-" for standard input), detects its
kind, and writes the scenario in it:

  a trace      JSON Lines, or the HTML player or Perfetto JSON that Wheelscope wrote;
               every line is compared with the run of its scenario
  a workload   CSV with the columns at, op, id, delay, every, times, created, for (of a
               stall) and by (of a clock), or JSON Lines with these fields; a time is a
               number of ticks of --tick, or a duration such as 5ms; at may also be a
               date (UTC unless it has a zone) or Unix time, and then the first operation is at tick 0; lines that
               begin with # are comments
  Linux        the text of timer:* events, as trace-cmd report, perf script, the
               tracefs, dumps of ftrace, babeltrace and systrace write it; ticks are jiffies; a note states how many of the
               kernel's roundings (bucket_expiry) the linux lane predicts

Import prints notes about the file to standard error. With -o it writes the scenario to OUT,
or its trace if OUT ends in .jsonl or .jsonl.gz. The commands run, compare and serve accept
such files directly.

` + fmt.Sprintf("Limits: a line of a workload has at most %d KiB, a packed file unpacks to at most\n%d GiB; the first %d faults are printed, the others counted.",
			importer.LineMax>>10, importer.UnpackedMax>>30, importer.FaultsMax),
		Example: `  trace-cmd report | wheelscope import - -o timers.json
  wheelscope import workload.csv --lanes three-slots | wheelscope run -
  wheelscope import trace.html -o trace.jsonl.gz`,
		Args: console.ExactlyOne("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.NeedOutput(out); err != nil {
				return err
			}
			w.Map, w.MapOp = mapped, mappedOps
			if err := checkWorkload(&w, tick); err != nil {
				return err
			}
			o := importer.Options{Workload: w}
			if lanes == "-" && args[0] == "-" {
				return errors.New("FILE and --lanes are both -; standard input can be read only once")
			}
			if lanes != "" {
				p, err := input.Load(c.Context(), lanes, s.In)
				if err != nil {
					return fmt.Errorf("--lanes: %w", err)
				}
				o.Lanes = p.Scenario.Lanes
			}
			return importFile(c.Context(), s, args[0], out, o)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write to `OUT` instead of standard output")
	c.Flags().StringVar(&tick, "tick", "1ms", "length of a base tick of a workload, a `DURATION`")
	c.Flags().StringVar(&w.At, "at", "", "`UNIT` of numbers in at: ticks, or s, ms, us or ns of Unix time (default: determined from the first number)")
	c.Flags().BoolVar(&w.Rebase, "rebase", false, "set the first operation of a workload to tick 0, as is always done with dates")
	c.Flags().StringToStringVar(&mapped, "map", nil, "`FIELD=COLUMN,…`: names of the file's columns for at, id and so on; other columns are left out")
	c.Flags().StringToStringVar(&mappedOps, "map-op", nil, "`NAME=OP,…`: names of the file's operations, such as start=schedule")
	c.Flags().Int64Var(&w.SkipBad, "skip-bad", 0, "leave out up to `N` bad lines of a workload")
	c.Flags().Int64Var(&w.HZ, "hz", 0, "`N` ticks per second of the kernel of a trace (default: determined from the trace)")
	c.Flags().StringVar(&lanes, "lanes", "", "give a workload the lanes of `SCENARIO`, a file or a built-in")
	s.JSONFlag(c, "what was read, and written to -o,")
	_ = c.RegisterFlagCompletionFunc("lanes", input.CompleteScenario)
	return c
}

// hzMax is the maximum value of --hz. Kernels have at most a few thousand ticks per second.
const hzMax = 100_000

// checkWorkload checks the options in w and the argument of --tick, and returns an error if one of them is invalid.
// It stores the parsed tick in w.Tick, and renames the key "timer" of w.Map, which is a synonym, to "id".
func checkWorkload(w *importer.WorkloadOptions, tick string) error {
	var err error
	if w.Tick, err = time.ParseDuration(tick); err != nil || w.Tick <= 0 {
		return fmt.Errorf("--tick: %q is not a duration such as 1ms, longer than 0", tick)
	}
	if w.At != "" && !slices.Contains(importer.Units, w.At) {
		return fmt.Errorf("--at: %q is not one of %s", w.At, strings.Join(importer.Units, ", "))
	}
	if w.SkipBad < 0 {
		return fmt.Errorf("--skip-bad: %d is not 0 or more", w.SkipBad)
	}
	if w.HZ < 0 || w.HZ > hzMax {
		return fmt.Errorf("--hz: %d is not between 1 and %d", w.HZ, hzMax)
	}
	names := map[string]string{}
	for field, name := range w.Map {
		if field == "timer" {
			field = "id"
		}
		if !importer.IsField(field) {
			return fmt.Errorf("--map: %q is not a field of a workload, such as at=process_at", field)
		}
		names[field] = name
	}
	w.Map = names
	ops := map[string]string{}
	for name, op := range w.MapOp {
		if !importer.IsOp(op) {
			return fmt.Errorf("--map-op: %q is not an operation of a workload, such as start=schedule", op)
		}
		ops[strings.ToLower(name)] = op
	}
	w.MapOp = ops
	return nil
}

// importFile converts the named file to a scenario and writes the scenario to the file named out, or to standard
// output if out is "" or "-". If out ends in .jsonl or .jsonl.gz, importFile runs the scenario and writes its
// trace instead.
func importFile(ctx context.Context, s *console.Streams, name, out string, o importer.Options) error {
	in, done, err := openFile(ctx, s, name, "a trace, a workload or a scenario")
	if err != nil {
		return err
	}
	defer done()
	bar := s.ReadProgress(sizeOf(in))
	o.Name, o.Progress = filepath.Base(name), bar.Set
	res, err := importer.Read(ctx, in, o)
	bar.Done()
	if err != nil {
		return input.Refusal(name, err)
	}
	if o.Lanes != nil && (res.Kind == importer.KindScenario || res.Kind.IsTrace()) {
		return fmt.Errorf("--lanes: only for a workload; %s is a %s, which has its own lanes", input.Name(name), res.Kind)
	}
	if !s.JSON {
		reportImport(s, name, res)
	}
	write := func(w io.Writer) error {
		_, err := w.Write(res.Program.Scenario.AppendFile(nil))
		return err
	}
	if strings.HasSuffix(strings.TrimSuffix(out, ".gz"), ".jsonl") {
		write = func(w io.Writer) error {
			_, err := runTo(ctx, s, w, res.Program)
			return err
		}
	}
	if err := s.WriteOutput(ctx, out, write); err != nil {
		return err
	}
	notes := []string{}
	for _, note := range res.Notes {
		notes = append(notes, static.Messages(s.Lang).Say(note))
	}
	return s.Result(console.Fields{"file": input.Name(name), "kind": res.Kind, "events": res.Events, "notes": notes, "output": out}, "")
}

// sizeOf returns the size of a file in bytes, or -1 if it is unknown.
func sizeOf(in io.Reader) int64 {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return -1
}

// reportImport prints the result of importing the named file to standard error: the kind of the file and, on
// a line each, the notes for the user in res.
func reportImport(s *console.Streams, name string, res *importer.Result) {
	what := string(res.Kind)
	if res.Kind.IsTrace() {
		what += fmt.Sprintf(", %d events, each as its scenario gives it", res.Events)
	}
	fmt.Fprintf(s.Err, "%s: %s\n", console.Printable(input.Name(name)), what)
	for _, note := range res.Notes {
		fmt.Fprintf(s.Err, "%s: %s\n", console.Printable(input.Name(name)), console.Printable(static.Messages(s.Lang).Say(note)))
	}
}
