package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

func newRun(s *streams) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario and write its trace",
		Long: `Run runs a scenario to its last tick and writes the trace: one line of JSON an
event, first a header with the whole scenario, last a line with the number of
events and the SHA-256 of everything before it. The same scenario gives the same
bytes on every machine.

With -o the trace is written beside TRACE and renamed when it is whole; a name
that ends in .gz is packed.

` + limitsText(),
		Example: `  wheelscope run three-slots | head
  wheelscope run my.json -o my.jsonl.gz
  generate-workload | wheelscope run - > trace.jsonl`,
		Args:              oneScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := loadScenario(c.Context(), args[0], s.in)
			if err != nil {
				return err
			}
			if out == "" || out == "-" {
				return s.runTo(c.Context(), s.out, p)
			}
			err = writeWhole(c.Context(), out, func(w io.Writer) error { return s.runTo(c.Context(), w, p) })
			if err != nil {
				return fmt.Errorf("%s: %w", out, err)
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write the trace to `TRACE` instead of standard output")
	return c
}

// runTo writes a trace and shows how far it is.
func (s *streams) runTo(ctx context.Context, w io.Writer, p *sim.Program) error {
	bar := s.progress(w, p.Until, "running")
	defer bar.done()
	_, err := sim.WriteTrace(ctx, w, p, sim.TraceOptions{Progress: bar.set})
	return err
}

// limitsText tells the limits of what a scenario may hold.
func limitsText() string {
	return fmt.Sprintf(`Limits: a scenario holds at most %d lanes with %d slots in all, %d
operations, %d timers and %d MiB of text; ticks fit 62 bits.`,
		sim.LanesMax, sim.SlotsMax, sim.OpsMax, sim.TimersMax, sim.ScenarioBytesMax>>20)
}
