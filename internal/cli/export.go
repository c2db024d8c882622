package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/importer"
)

func newExport(s *streams) *cobra.Command {
	var as, out string
	var pic pictureFlags
	c := &cobra.Command{
		Use:   "export SCENARIO | export TRACE",
		Short: "Write a run in another program's format",
		Long: `Export runs a scenario (a file, a built-in, or "-" for standard input), or reads a trace, packed or
not, and verifies it as the verify command does. It writes the run in another format, --as or
what the ending of -o says (.html, .csv, .svg, .png, and .json for perfetto, without or with .gz):

  perfetto   Chrome's Trace Event JSON, for ui.perfetto.dev and others: a lane is a
             process, a level a thread, arrows follow each timer through its cascades
  csv        a row for each lane and busy tick: what waits, what happened, what it cost
  html       one file that shows the run in a browser, with no server and no network;
             add #seq=N to its address and it opens after that event
  svg, png   a picture of the lane --lane after everything at --at, or exactly after
             event --seq; without both, before anything

A trace that is broken, or that differs from what its scenario gives, is not
exported: exit 2. With -o the file is written beside its name and renamed when it is
whole; a name that ends in .gz is packed.`,
		Example: `  wheelscope export trace.jsonl --as perfetto -o trace.json.gz
  wheelscope export three-slots -o three-slots.html
  wheelscope run heartbeats | wheelscope export - --as csv > costs.csv`,
		Args:              func(c *cobra.Command, args []string) error { return exactlyOne(c, args, "SCENARIO or TRACE") },
		ValidArgsFunction: completeScenarios(1),
		RunE: func(c *cobra.Command, args []string) error {
			if as == "" {
				as = formatOf(out)
			}
			if !slices.Contains(exportFormats(), as) {
				return fmt.Errorf("--as: %q is not one of %s", as, strings.Join(exportFormats(), ", "))
			}
			if err := s.needOutput(out); err != nil {
				return err
			}
			if err := pic.check(c, as); err != nil {
				return err
			}
			return s.export(c.Context(), args[0], as, out, &pic)
		},
	}
	c.Flags().StringVar(&as, "as", "", "`FORMAT` to write: "+strings.Join(exportFormats(), ", "))
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` instead of standard output")
	s.jsonFlag(c, "what was written to -o")
	pic.add(c)
	c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(exportFormats(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// formatHTML is the format that is no other program's: the page itself.
const formatHTML = "html"

// exportFormats names all formats, in order.
func exportFormats() []string {
	list := append(append(export.Formats(), formatHTML), picture.Formats()...)
	slices.Sort(list)
	return list
}

// formatOf returns the format that the ending of a file's name means, "" if it means none.
func formatOf(name string) string {
	ending := strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")), ".")
	if ending == "json" {
		return "perfetto"
	}
	if slices.Contains(exportFormats(), ending) && ending != "perfetto" {
		return ending
	}
	return ""
}

// withRun has a run computed for as long as use takes.
func withRun(ctx context.Context, p *sim.Program, use func(*sim.Run) error) error {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		return err
	}
	store.Look(ctx, run)
	return use(run)
}

// export runs a scenario or verifies a trace, and writes it in another format.
func (s *streams) export(ctx context.Context, name, as, out string, pic *pictureFlags) error {
	p, err := s.openRun(ctx, name)
	if err != nil {
		return err
	}
	if out == "" || out == "-" {
		return s.exportTo(ctx, s.out, p, as, pic)
	}
	if err := writeWhole(ctx, out, func(w io.Writer) error { return s.exportTo(ctx, w, p, as, pic) }); err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return s.result(fields{"output": out, "format": as}, "")
}

// openRun reads a scenario, or a trace, which it verifies.
func (s *streams) openRun(ctx context.Context, name string) (*sim.Program, error) {
	in, done, err := openNamed(ctx, name, s.in)
	if errors.Is(err, errDirectory) {
		return nil, fmt.Errorf("%s: a directory is not a trace or a scenario", name)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	buffered := bufio.NewReaderSize(in, lookBytes)
	head, _ := buffered.Peek(lookBytes)
	if !importer.IsScenario(head) && importer.NotTrace(head) == "" {
		return s.readTrace(ctx, name, buffered)
	}
	if !importer.IsScenario(head) {
		return importedScenario(ctx, buffered, name)
	}
	data, err := readBounded(buffered, name, sim.ScenarioBytesMax)
	if err != nil {
		return nil, err
	}
	p, err := sim.Load(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	return p, nil
}

func (s *streams) readTrace(ctx context.Context, name string, in io.Reader) (*sim.Program, error) {
	bar := s.progress(io.Discard, -1, "verifying")
	p, _, err := sim.ReadTrace(ctx, in, sim.TraceOptions{Progress: bar.set})
	bar.done()
	if diff := (*sim.Diff)(nil); errors.As(err, &diff) {
		return nil, fmt.Errorf("%s: line %d is not what the scenario gives (wheelscope verify shows both)", inputName(name), diff.Line)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	return p, nil
}

func (s *streams) exportTo(ctx context.Context, w io.Writer, p *sim.Program, as string, pic *pictureFlags) error {
	bar := s.progress(w, p.Until, "exporting")
	defer bar.done()
	switch {
	case as == formatHTML:
		return withRun(ctx, p, func(run *sim.Run) error { return player.Write(ctx, w, run, player.Options{Progress: bar.set}) })
	case slices.Contains(picture.Formats(), as):
		return withRun(ctx, p, func(run *sim.Run) error { return pic.draw(ctx, w, run, as) })
	}
	return export.Write(ctx, w, p, as, export.Options{Progress: bar.set})
}
