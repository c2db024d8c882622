package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/record"
)

// recordGrace is how long an interrupted command may take to end.
const recordGrace = 10 * time.Second

func newRecord(s *console.Streams) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "record [-o FILE] -- go test|run|build ... | record [-o FILE] -- COMMAND",
		Short: "Record the timers of Go programs that use package time",
		Long: `Record runs a command of Go, and records the timers of the programs that it compiles and runs, without
a change to them: AfterFunc, NewTimer, NewTicker, After and Tick of package time, contexts with a
timeout, and the deadlines of connections and files. Sleep is not recorded, nor are timers of
testing/synctest, which do not wait.

The go command compiles the standard library again, with an overlay for package time and
internal/poll, which takes a minute the first time. It works with Go ` + record.Tested + ` on Linux and macOS. A
program that was built before is not recorded; "record -- sh -c 'go build -o server . && ./server'" is.

A process records up to 10,000,000 events. The recording has all processes. "wheelscope advise FILE"
recommends a timer structure for it; "import FILE" makes a scenario of it.`,
		Example: `  wheelscope record -- go test ./...
  wheelscope record -o server.rec -- go run ./cmd/server
  wheelscope advise server.rec`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return recordCommand(c.Context(), s, out, args) },
	}
	c.Flags().StringVarP(&out, "output", "o", "timers.rec", "write the recording to `FILE`")
	s.JSONFlag(c, "the result")
	return c
}

func recordCommand(ctx context.Context, s *console.Streams, out string, args []string) (err error) {
	root, err := goEnv(ctx, "GOROOT")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "wheelscope-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	events := filepath.Join(dir, "events")
	if err := os.Mkdir(events, 0o700); err != nil {
		return err
	}
	overlay, err := record.Overlay(root, dir)
	if err != nil {
		return err
	}
	flags, err := goEnv(ctx, "GOFLAGS")
	if err != nil {
		return err
	}
	if strings.ContainsAny(overlay, " '\"") {
		return fmt.Errorf("the folder for temporary files is %s; expected a name without spaces and quotes (TMPDIR sets it)", dir)
	}
	run := exec.CommandContext(ctx, args[0], args[1:]...)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.WaitDelay = recordGrace
	s.SetGrace(2 * recordGrace)
	run.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(flags+" -overlay="+overlay), "WHEELSCOPE_RECORD="+events)
	run.Stdin, run.Stdout, run.Stderr = s.In, s.Err, s.Err
	ended := run.Run()
	if _, ok := errors.AsType[*exec.ExitError](ended); ended != nil && !ok && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", args[0], ended)
	}
	ctx = context.WithoutCancel(ctx) // an interrupted command has been recorded, too
	var sum record.Summary
	if err := s.WriteOutput(ctx, out, func(w io.Writer) (err error) {
		if sum, err = record.Merge(ctx, events, w); err == nil && sum.Events == 0 {
			err = fmt.Errorf("%s: nothing was recorded; expected a command of Go, whose programs use timers", args[0])
		}
		return err
	}); err != nil {
		return err
	}
	note := ""
	if sum.Full {
		note = fmt.Sprintf("; a process had more than %d events, the rest is missing", record.EventsMax)
	}
	fmt.Fprintf(s.Err, "recorded %d events of %d processes in %v%s\n", sum.Events, sum.Processes, sum.Duration.Round(time.Millisecond), note)
	if ended != nil {
		return fmt.Errorf("%s: %w", args[0], ended)
	}
	return s.Result(console.Fields{"output": out, "events": sum.Events, "processes": sum.Processes, "full": sum.Full, "nanoseconds": int64(sum.Duration)}, "")
}

// goEnv returns a variable of the go command.
func goEnv(ctx context.Context, name string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w; expected the go command in PATH", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}
