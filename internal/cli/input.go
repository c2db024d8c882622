package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

// loadScenario reads the scenario that a command line names: a file, "-" for
// stdin, or a built-in. A file goes before a built-in of the same name.
func loadScenario(name string, stdin io.Reader) (*sim.Program, error) {
	data, err := readScenario(name, stdin)
	if err != nil {
		return nil, err
	}
	p, err := sim.Load(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", told(name), err)
	}
	return p, nil
}

// told is how a message names an input.
func told(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

func readScenario(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return readBounded(stdin, name)
	}
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			return readBounded(f, name)
		}
	}
	if data, ok := sim.Builtin(name); ok {
		return data, nil
	}
	if err == nil {
		return nil, fmt.Errorf("%s: a directory is not a scenario", name)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%q is neither a file nor a built-in scenario (wheelscope scenarios lists those)", name)
	}
	return nil, err
}

// isScenario says whether a command line that names it means a scenario.
func isScenario(name string) bool {
	_, err := os.Stat(name)
	_, builtIn := sim.Builtin(name)
	return err == nil || builtIn || name == "-"
}

// readBounded reads a whole scenario, or says that it is too large.
func readBounded(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, sim.ScenarioBytesMax+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", told(name), err)
	}
	if len(data) > sim.ScenarioBytesMax {
		return nil, fmt.Errorf("%s: more than %d bytes are not a scenario", told(name), sim.ScenarioBytesMax)
	}
	return data, nil
}

// oneScenario is the rule for the arguments of a command that needs a scenario.
func oneScenario(c *cobra.Command, args []string) error { return exactlyOne(c, args, "SCENARIO") }

func exactlyOne(c *cobra.Command, args []string, what string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one %s, %d given (%s --help tells more)", c.Name(), what, len(args), c.CommandPath())
	}
	return nil
}

// completeScenario completes built-ins by name; the shell adds files.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, b := range sim.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title.In("en")))
	}
	return names, cobra.ShellCompDirectiveDefault
}
