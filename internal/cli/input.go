package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
)

// loadScenario reads the scenario named on the command line: a file, "-" for stdin, or a
// built-in. A file takes precedence over a built-in of the same name. A trace or a workload is
// imported.
func loadScenario(ctx context.Context, name string, stdin io.Reader) (*sim.Program, error) {
	in, done, err := openNamed(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	buffered := bufio.NewReaderSize(in, lookBytes)
	if head, _ := buffered.Peek(lookBytes); !importer.IsScenario(head) {
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

var errDirectory = errors.New("a directory is not a scenario")

// lookBytes is how many bytes of a file are examined to determine its kind.
const lookBytes = 4 << 10

// inputName returns the name of an input in a message.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// openNamed opens the input named on the command line: standard input, any file that can be
// read once, or a built-in.
func openNamed(ctx context.Context, name string, stdin io.Reader) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return stdin, func() error { return nil }, nil
	}
	f, err := openFile(ctx, name)
	if err == nil {
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			return interruptible(ctx, f), f.Close, nil
		}
		f.Close()
	}
	if data, ok := sim.Builtin(name); ok {
		return bytes.NewReader(data), func() error { return nil }, nil
	}
	if err == nil {
		return nil, nil, fmt.Errorf("%s: %w", name, errDirectory)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%q is neither a file nor a built-in scenario (wheelscope scenarios lists those)%s", name, didYouMean(name, builtinNames()))
	}
	return nil, nil, err
}

// isScenario reports whether a command-line argument names a scenario.
func isScenario(name string) bool {
	_, err := os.Stat(name)
	_, builtIn := sim.Builtin(name)
	return err == nil || builtIn || name == "-"
}

// readBounded reads a whole file. It returns an error if the file is too large.
func readBounded(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s: more than %d bytes are not a scenario", inputName(name), most)
	}
	return data, nil
}

// oneScenario is the argument rule of commands that need one scenario.
func oneScenario(c *cobra.Command, args []string) error { return exactlyOne(c, args, "SCENARIO") }

func exactlyOne(c *cobra.Command, args []string, what string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one %s, %d given (see %s --help)", c.Name(), what, len(args), c.CommandPath())
	}
	return nil
}

// completeScenarios completes the names of built-ins for the first `most` arguments of a
// command; the shell adds files.
func completeScenarios(most int) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeScenario(c, args, begun)
	}
}

// completeScenario completes the names of built-ins, also as the value of a flag.
func completeScenario(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, b := range sim.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title.In("en")))
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeWait bounds the time in which a completion reads a scenario.
const completeWait = 2 * time.Second

// completeLane completes lane ids of the scenario or trace that is the first argument.
func completeLane(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 || args[0] == "-" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(c.Context(), completeWait)
	defer cancel()
	in, done, err := openNamed(ctx, args[0], nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer done()
	p := planOf(ctx, in)
	if p == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []cobra.Completion
	for _, lane := range p.Scenario.Lanes {
		ids = append(ids, cobra.CompletionWithDesc(lane.ID, lane.Algorithm))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// planOf returns the program of a scenario, or of a trace's header; nil if it is neither.
func planOf(ctx context.Context, in io.Reader) *sim.Program {
	buffered := bufio.NewReaderSize(in, lookBytes)
	if head, _ := buffered.Peek(lookBytes); importer.IsScenario(head) {
		data, err := readBounded(buffered, "", sim.ScenarioBytesMax)
		if err != nil {
			return nil
		}
		p, _ := sim.Load(data)
		return p
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var planned *sim.Program
	_, _ = sim.Verify(ctx, buffered, sim.TraceOptions{Planned: func(p *sim.Program) { planned = p; stop() }})
	return planned
}
