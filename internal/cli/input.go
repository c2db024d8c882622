package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
)

// loadScenario reads the scenario that a command line names: a file, "-" for
// stdin, or a built-in. A file goes before a built-in of the same name. A file that is
// a trace or a workload is imported.
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

// lookBytes of a file tell of what kind it is.
const lookBytes = 4 << 10

// inputName returns the name of an input in a message.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// openNamed opens what a command line names: standard input, a file of any kind that can
// be read once, or a built-in.
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
		return nil, nil, fmt.Errorf("%s: a directory is not a scenario", name)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%q is neither a file nor a built-in scenario (wheelscope scenarios lists those)", name)
	}
	return nil, nil, err
}

// isScenario says whether a command line that names it means a scenario.
func isScenario(name string) bool {
	_, err := os.Stat(name)
	_, builtIn := sim.Builtin(name)
	return err == nil || builtIn || name == "-"
}

// readBounded reads a whole file, or says that it is too large.
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

// oneScenario is the rule for the arguments of a command that needs a scenario.
func oneScenario(c *cobra.Command, args []string) error { return exactlyOne(c, args, "SCENARIO") }

func exactlyOne(c *cobra.Command, args []string, what string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one %s, %d given (see %s --help)", c.Name(), what, len(args), c.CommandPath())
	}
	return nil
}

// completeScenarios completes built-ins by name in the first `most` arguments of a command;
// the shell adds files.
func completeScenarios(most int) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeScenario(c, args, begun)
	}
}

// completeScenario completes built-ins by name, as the value of a flag too.
func completeScenario(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, b := range sim.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title.In("en")))
	}
	return names, cobra.ShellCompDirectiveDefault
}
