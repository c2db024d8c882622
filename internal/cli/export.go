package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
)

func newExport(s *streams) *cobra.Command {
	var as, out string
	c := &cobra.Command{
		Use:   "export TRACE --as FORMAT",
		Short: "Write a trace in another program's format",
		Long: `Export reads a trace (a file, packed or not, or "-" for standard input), verifies it
as the verify command does, and writes it in another format:

  perfetto   Chrome's Trace Event JSON, for ui.perfetto.dev and others: a lane is a
             process, a level a thread, arrows follow each timer through its cascades
  csv        a row for each lane and busy tick: what waits, what happened, what it cost

A trace that is broken, or that differs from what its scenario gives, is not
exported: exit 2. With -o the file is written beside its name and renamed when it is
whole; a name that ends in .gz is packed.`,
		Example: `  wheelscope export trace.jsonl --as perfetto -o trace.json.gz
  wheelscope run heartbeats | wheelscope export - --as csv > costs.csv`,
		Args: func(c *cobra.Command, args []string) error { return exactlyOne(c, args, "TRACE") },
		RunE: func(c *cobra.Command, args []string) error {
			if _, ok := export.Lookup(as); !ok {
				return fmt.Errorf("--as: %q is not one of %s", as, strings.Join(export.Formats(), ", "))
			}
			return s.export(c.Context(), args[0], as, out)
		},
	}
	c.Flags().StringVar(&as, "as", "", "`FORMAT` to write: "+strings.Join(export.Formats(), " or "))
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` instead of standard output")
	c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(export.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// export verifies a trace and writes it in another format.
func (s *streams) export(ctx context.Context, name, as, out string) error {
	in, done, err := s.openTrace(name)
	if err != nil {
		return err
	}
	defer done()
	bar := s.progress(io.Discard, -1, "verifying")
	p, _, err := sim.ReadTrace(ctx, in, sim.TraceOptions{Progress: bar.set})
	bar.done()
	if diff := (*sim.Diff)(nil); errors.As(err, &diff) {
		return fmt.Errorf("%s: line %d is not what the scenario gives (wheelscope verify tells both)", told(name), diff.Line)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", told(name), err)
	}
	if out == "" || out == "-" {
		return s.exportTo(ctx, s.out, p, as)
	}
	if err := writeWhole(out, func(w io.Writer) error { return s.exportTo(ctx, w, p, as) }); err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return nil
}

func (s *streams) exportTo(ctx context.Context, w io.Writer, p *sim.Program, as string) error {
	bar := s.progress(w, p.Until, "exporting")
	defer bar.done()
	return export.Write(ctx, w, p, as, export.Options{Progress: bar.set})
}
