package lab

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

func newRun(s *console.Streams) *cobra.Command {
	var out string
	var estimate bool
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario and write its trace",
		Long: `Run runs a scenario to its last tick and writes the trace. A trace is a header line
with the whole scenario, one line of JSON per event, and an end line with the number
of events and the SHA-256 of all lines before it. The same scenario gives the same
bytes on every machine.

With -o the trace is written to a temporary file, which is renamed to TRACE when it
is complete. If the name ends in .gz, the trace is compressed.

--estimate prints how much memory a run needs at most and how many events it has at
least. A run ends with an error if one lane does too much in a single tick, as after a
long stall.

` + limitsText(),
		Example: `  wheelscope run three-slots | head
  wheelscope run my.json -o my.jsonl.gz
  generate-workload | wheelscope run - > trace.jsonl`,
		Args:              console.ExactlyOne("SCENARIO"),
		ValidArgsFunction: input.CompleteScenarios(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := input.Load(c.Context(), args[0], s.In)
			if err != nil {
				return err
			}
			if estimate {
				e := p.Estimate()
				return s.Result(console.Fields{"bytes": e.Bytes, "plan_bytes": e.PlanBytes, "empty_bytes": e.EmptyBytes, "engine_bytes": e.EngineBytes,
					"events": e.Events}, "%s", estimateText(e))
			}
			if err := s.NeedOutput(out); err != nil {
				return err
			}
			return writeTrace(c.Context(), s, p, out)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write the trace to `TRACE` instead of standard output")
	s.JSONFlag(c, "a summary of what -o wrote, or the estimate,")
	c.Flags().BoolVar(&estimate, "estimate", false, "print how much the scenario needs, and do not run it")
	return c
}

// writeTrace writes the trace of p to the file named out, or to standard output if out is "" or "-".
func writeTrace(ctx context.Context, s *console.Streams, p *program.Program, out string) error {
	var sum tracefile.Summary
	err := s.WriteOutput(ctx, out, func(w io.Writer) (err error) {
		sum, err = runTo(ctx, s, w, p)
		return err
	})
	if err != nil {
		return err
	}
	return s.Result(console.Fields{"output": out, "events": sum.Events, "tick": sum.Tick, "bytes": sum.Bytes, "sha256": sum.SHA256}, "")
}

// runTo writes the trace of p to w and returns the summary of the trace. It displays a progress bar on stderr
// if that is a terminal and w is not.
func runTo(ctx context.Context, s *console.Streams, w io.Writer, p *program.Program) (tracefile.Summary, error) {
	bar := s.Progress(w, p.Until, "running")
	defer bar.Done()
	return tracefile.Write(ctx, w, p, tracefile.Options{Progress: bar.Set})
}

// estimateText formats e as two lines of text.
func estimateText(e program.Estimate) string {
	return fmt.Sprintf(`at most %s of memory on the server: the plan %s, an empty engine %s, two full engines %s each
at least %d events
`, program.FormatBytes(e.Bytes), program.FormatBytes(e.PlanBytes), program.FormatBytes(e.EmptyBytes), program.FormatBytes(e.EngineBytes), e.Events)
}

// limitsText returns the part of a help text that lists the limits of a scenario.
func limitsText() string {
	return fmt.Sprintf(`Limits: a scenario holds at most %d lanes with %d slots in all, %d
operations, %d timers and %d MiB of text; ticks fit 62 bits.`,
		scenario.LanesMax, scenario.SlotsMax, scenario.OpsMax, scenario.TimersMax, scenario.BytesMax>>20)
}
