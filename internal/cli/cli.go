// Package cli assembles the command line from the packages below it, one for each group of
// commands: lab for scenarios and traces, serve for the page, task for delayed tasks on Redis.
// [Main] runs a command line, and converts signals and errors to exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/atomicfile"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/internal/cli/lab"
	"github.com/wheelscope/wheelscope/internal/cli/serve"
	"github.com/wheelscope/wheelscope/internal/cli/task"
	_ "github.com/wheelscope/wheelscope/wheel/rediswheel/lane" // adds the algorithm redis to the catalogue
)

// Exit codes of all commands.
const (
	exitOK = 0
	// exitDiffers is the exit code when the verify command or "compare --exit-code" finds a difference, or when
	// the health command finds that a server is not healthy.
	exitDiffers   = 1
	exitError     = 2 // exit code after invalid input or a failed operation
	exitInterrupt = 130
)

// interruptGrace is how long a command may take to end after a signal, mostly to remove its temporary files.
// After that the program exits without waiting for it. Commands that finish work in progress set their own
// grace period.
const interruptGrace = 500 * time.Millisecond

// Main runs the command line args, which do not include the program's name, and returns the exit code. If the
// command fails, Main writes the error to stderr as one line. After SIGINT, SIGTERM or SIGHUP, Main cancels
// the command and waits for it to end, by default for up to interruptGrace. After a second signal, Main does
// not wait any longer. When Main returns after a signal, the command may still be running, so the caller must
// exit.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(newRoot, args, stdin, stdout, stderr)
}

// execute is like Main, but runs the root command returned by root, a function such as newRoot.
func execute(root func(*console.Streams, io.Writer) *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)

	s := &console.Streams{In: console.Interruptible(ctx, stdin), Out: stdout, Err: stderr, Lang: console.Language(os.Getenv)}
	s.SetGrace(interruptGrace)
	help := &helpWriter{to: stdout}
	c := root(s, help)
	c.SetArgs(args)
	ended := make(chan error, 1)
	go func() {
		err := c.ExecuteContext(ctx)
		if err == nil {
			err = help.err
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return exitCode(err, s)
	case <-signals:
		cancel()
	}
	select {
	case err := <-ended:
		if err == nil || errors.Is(err, console.ErrDiffers) {
			return exitCode(err, s)
		}
	case <-signals:
	case <-after(s.Grace()):
	}
	atomicfile.Abandon()
	fmt.Fprintln(stderr, "wheelscope: interrupted")
	return exitInterrupt
}

// helpWriter writes help texts, the version and completions to an io.Writer and records the first write
// error, because Cobra ignores such errors.
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

// after returns a channel that receives a value after d, or never if d is negative.
func after(d time.Duration) <-chan time.Time {
	if d < 0 {
		return nil
	}
	return time.After(d)
}

// exitCode returns the exit code for err, the result of a command, which is nil if the command succeeded. It
// also writes err to standard error, unless the command has already printed it.
func exitCode(err error, s *console.Streams) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, console.ErrDiffers):
		return exitDiffers
	case errors.Is(err, console.ErrReported):
		return exitError
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "wheelscope: interrupted")
		return exitInterrupt
	}
	console.PrintError(s.Err, console.InLanguage(plainWords(console.SuggestIn(err)), s.Lang))
	return exitError
}

// endings returns the signals that end a command. SIGHUP is not among them if the process was started with
// SIGHUP ignored, as under nohup.
func endings() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

func init() { cobra.AddTemplateFunc("versionText", versionText) }

// newRoot returns the root command with all subcommands. Help texts, the version and completions are written
// to help, and all other output is written to the writers of s.
func newRoot(s *console.Streams, help io.Writer) *cobra.Command {
	root := serve.New(s)
	root.Use = "wheelscope [SCENARIO]"
	root.Args = rootArgs
	root.SuggestionsMinimumDistance = 2
	root.Short = "A laboratory for timing wheels"
	root.Long = rootLong
	root.Example = rootExample
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = release
	root.SetVersionTemplate("{{versionText}}")
	root.SetIn(s.In)
	root.SetOut(help)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(serve.New(s), serve.NewHealth(s), newVersion(s))
	root.AddCommand(lab.Commands(s)...)
	root.AddCommand(task.Commands(s)...)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			console.OnlyCommands(c)
			for _, shell := range c.Commands() {
				shell.Args = console.NoArguments
			}
		case "help":
			c.Args = helpArgs
		}
	}
	return root
}

// helpArgs validates the arguments of the help command, which must name a command or be absent.
func helpArgs(c *cobra.Command, args []string) error {
	if found, rest, err := c.Root().Find(args); len(args) > 0 && (err != nil || found == c.Root() || len(rest) > 0) {
		return fmt.Errorf("%q is not a command (wheelscope --help lists them)", strings.Join(args, " "))
	}
	return nil
}

// rootArgs validates the arguments of the root command, which takes at most one: a scenario. If the argument
// looks like a misspelt command, the error suggests the most similar command.
func rootArgs(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := root.SuggestionsFor(args[0]); len(near) > 0 && !input.Exists(args[0]) {
		return fmt.Errorf("%q is not a command; did you mean %q?", args[0], near[0])
	}
	if len(args) > 1 && input.Exists(args[0]) {
		return fmt.Errorf("%q: expected at most one SCENARIO, %d arguments given (see %s --help)", args[1], len(args), root.CommandPath())
	}
	if len(args) > 1 {
		return fmt.Errorf("%q is not a command (wheelscope --help lists them)", args[0])
	}
	return nil
}

const rootLong = `Wheelscope runs timer algorithms (timing wheels, and the lists and heaps that they are
compared with) in lock-step on one workload under one clock. The clock can be stopped,
stepped, rewound and run as fast as possible. Every placement, round and cascade is
shown in the browser, or written to a trace that can be reproduced byte for byte.

Without a command it serves the page, like "wheelscope serve".

SCENARIO is a file, "-" for standard input, or the name of a built-in scenario
("wheelscope scenarios" lists them). Errors are one line on standard error and
exit code 2.`

const rootExample = `  wheelscope                              the page, with the first scenario
  wheelscope serve heartbeats             the page, with another scenario
  wheelscope scenarios                    the built-in scenarios
  wheelscope run three-slots              its trace, one line per event
  wheelscope compare heartbeats           cost and lateness, one row per lane
  wheelscope run my.json -o my.jsonl.gz   a trace of your own workload
  wheelscope verify my.jsonl.gz           check that it is still the same, byte for byte`
