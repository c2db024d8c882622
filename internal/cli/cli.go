// Package cli implements the command line. Each command has its own file, which parses its
// flags, calls sim or web, and prints the result. The commands' help describes them.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/whole"
)

// Exit codes of all commands.
const (
	exitOK        = 0
	exitDiffers   = 1 // verify: the trace differs from its scenario's run
	exitError     = 2 // invalid input, or a failed operation
	exitInterrupt = 130
)

// interruptGrace is how long a command may take to end after a signal, mostly to remove its
// temporary files. After that the program exits without waiting for it. Commands that complete
// work in progress set a grace of their own.
const interruptGrace = 500 * time.Millisecond

// streams are the input and outputs of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
	help     *helpWriter   // of cobra
	json     bool          // --json is set
	grace    *atomic.Int64 // time.Duration that replaces interruptGrace; negative: no limit
}

// Main runs one command line, without the program's name, and returns its exit code. It prints
// an error as one line on stderr. SIGINT, SIGTERM and SIGHUP end a command within interruptGrace,
// a second signal ends it at once. The caller must then exit, since the command may still run.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(newRoot, args, stdin, stdout, stderr)
}

// execute is Main for the commands of the given root.
func execute(root func(*streams) *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)

	s := &streams{in: interruptible(ctx, stdin), out: stdout, err: stderr, help: &helpWriter{to: stdout}, grace: new(atomic.Int64)}
	s.grace.Store(int64(interruptGrace))
	c := root(s)
	c.SetArgs(args)
	ended := make(chan error, 1)
	go func() {
		err := c.ExecuteContext(ctx)
		if err == nil {
			err = s.help.err
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return exitCode(err, stderr)
	case <-signals:
		cancel()
	}
	select {
	case err := <-ended:
		if err == nil || errors.Is(err, errDiffers) {
			return exitCode(err, stderr)
		}
	case <-signals:
	case <-s.graceOver():
	}
	whole.Abandon()
	fmt.Fprintln(stderr, "wheelscope: interrupted")
	return exitInterrupt
}

// helpWriter records the first error of writing help, the version or completions, which cobra
// ignores.
type helpWriter struct {
	to  io.Writer
	err error
}

func (h *helpWriter) Write(p []byte) (int, error) {
	n, err := h.to.Write(p)
	if h.err == nil {
		h.err = err
	}
	return n, err
}

// graceOver returns a channel that receives when the command's grace is over.
func (s *streams) graceOver() <-chan time.Time {
	grace := time.Duration(s.grace.Load())
	if grace < 0 {
		return nil
	}
	return time.After(grace)
}

// exitCode returns the exit code of a command, and writes its error.
func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errDiffers):
		return exitDiffers
	case errors.Is(err, errReported):
		return exitError
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "wheelscope: interrupted")
		return exitInterrupt
	}
	printError(stderr, plainWords(suggestIn(err)))
	return exitError
}

// printError writes an error as one line.
func printError(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "wheelscope: "+oneLine(err.Error()))
}

// endings are the signals that end a command. If SIGHUP is ignored, as under nohup, it stays so.
func endings() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

func newRoot(s *streams) *cobra.Command {
	root := newServe(s)
	root.Use = "wheelscope [SCENARIO]"
	root.Args = rootArgs
	root.SuggestionsMinimumDistance = 2
	root.Short = "A laboratory for timing wheels"
	root.Long = rootLong
	root.Example = rootExample
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = release
	root.SetVersionTemplate(versionText())
	root.SetIn(s.in)
	root.SetOut(s.help)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newServe(s), newRun(s), newVerify(s), newExport(s), newImport(s), newCompare(s), newCheck(s), newFmt(s), newAlgorithms(s), newScenarios(s), newTask(s), newWheel(s), newWorker(s), newVersion(s))
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			onlyCommands(c)
			for _, shell := range c.Commands() {
				shell.Args = noArguments
			}
		case "help":
			c.Args = helpArgs
		}
	}
	return root
}

// onlyCommands makes a command that only groups others refuse to run by itself.
func onlyCommands(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		list := strings.Join(names, ", ")
		if len(args) == 0 {
			return fmt.Errorf("%s needs one of %s (see %s --help)", c.Name(), list, c.CommandPath())
		}
		return fmt.Errorf("%q is no command of %s; there are %s%s", args[0], c.Name(), list, didYouMean(args[0], names))
	}
	c.RunE = func(*cobra.Command, []string) error { return nil } // not reached: Args returns an error
}

// helpArgs is the argument rule of help: the name of a command, or none.
func helpArgs(c *cobra.Command, args []string) error {
	if found, rest, err := c.Root().Find(args); len(args) > 0 && (err != nil || found == c.Root() || len(rest) > 0) {
		return fmt.Errorf("%q is no command (wheelscope --help lists them)", strings.Join(args, " "))
	}
	return nil
}

// rootArgs is the argument rule of the root: a scenario, which may be a mistyped command.
func rootArgs(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := root.SuggestionsFor(args[0]); len(near) > 0 && !isScenario(args[0]) {
		return fmt.Errorf("%q is no command; did you mean %q?", args[0], near[0])
	}
	if len(args) > 1 {
		return fmt.Errorf("%q is no command (wheelscope --help lists them)", args[0])
	}
	return nil
}

// noArguments is the argument rule of commands without arguments.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, %q given (see %s --help)", c.Name(), args[0], c.CommandPath())
	}
	return nil
}

const rootLong = `Wheelscope runs timer algorithms — timing wheels, and the lists and heaps they are
measured against — in lock-step on one workload under one clock. The clock can be
stopped, stepped, rewound and raced, and every placement, round and cascade is
seen as it happens: in the browser, or as a trace that replays byte for byte.

Without a command it serves the page, like "wheelscope serve".

SCENARIO is a file, "-" for standard input, or the name of a built-in scenario
("wheelscope scenarios" lists them). Errors are one line on standard error and
exit code 2.`

const rootExample = `  wheelscope                              the page, with the first scenario
  wheelscope serve heartbeats             the page, with another
  wheelscope scenarios                    what is built in
  wheelscope run three-slots              its trace, a line an event
  wheelscope compare heartbeats           cost and lateness, a row a lane
  wheelscope run my.json -o my.jsonl.gz   your own workload, kept
  wheelscope verify my.jsonl.gz           is it still the same, byte for byte?`
