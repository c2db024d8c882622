package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// asStuck is the environment variable of a process that runs the commands of newStuckRoot.
const asStuck = "WHEELSCOPE_TEST_STUCK"

// newStuckRoot adds a command that writes a part of a file, prints a line and then ignores its
// context for ever. Its argument selects the grace period: that of most commands, a longer one as
// of serve, or none as of worker.
func newStuckRoot(s *console.Streams, help io.Writer) *cobra.Command {
	root := cli.NewRoot(s, help)
	var out string
	c := &cobra.Command{Use: "stuck", Args: cobra.ExactArgs(1), RunE: func(c *cobra.Command, args []string) error {
		switch args[0] {
		case "serve":
			s.SetGrace(4 * time.Second)
		case "worker":
			s.SetGrace(-1)
		}
		return console.WriteWhole(c.Context(), out, func(w io.Writer) error {
			io.WriteString(w, "a part")
			io.WriteString(s.Out, "stuck\n")
			select {}
		})
	}}
	c.Flags().StringVarP(&out, "output", "o", "", "")
	root.AddCommand(c)
	return root
}

// startStuck starts a command that ignores its context, and waits until it does.
func startStuck(t *testing.T, out, like string) (c *exec.Cmd, errs *bytes.Buffer) {
	t.Helper()
	c, errs = clitest.Program(t, "stuck", like, "-o", out), &bytes.Buffer{}
	c.Env = append(c.Env, asStuck+"=1")
	c.Stderr = errs
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "stuck\n" {
		t.Fatalf("%q, %v, stderr %q", line, err, errs)
	}
	return c, errs
}

// expectInterrupted waits for the interrupted c, and checks its exit code and message, that out is
// unchanged, and that there is no other file in its folder.
func expectInterrupted(t *testing.T, c *exec.Cmd, errs *bytes.Buffer, out string) {
	t.Helper()
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 || errs.String() != "wheelscope: interrupted\n" {
		t.Errorf("exit %d, stderr %q", code, errs)
	}
	files, err := os.ReadDir(filepath.Dir(out))
	if data, _ := os.ReadFile(out); err != nil || len(files) != 1 || string(data) != "before" {
		t.Errorf("left behind: %v, %q, %v", files, data, err)
	}
}

// A command that ignores its context is ended after its grace period, and leaves no temporary file.
func TestInterruptEndsStuckCommand(t *testing.T) {
	for _, like := range []string{"run", "serve"} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(like+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				out := clitest.WriteFile(t, "t.jsonl", "before")
				c, errs := startStuck(t, out, like)
				c.Process.Signal(sig)
				expectInterrupted(t, c, errs, out)
			})
		}
	}
}

// A second signal ends a command that has no grace period.
func TestSecondInterrupt(t *testing.T) {
	out := clitest.WriteFile(t, "t.jsonl", "before")
	c, errs := startStuck(t, out, "worker")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		expectInterrupted(t, c, errs, out)
	}()
	for {
		c.Process.Signal(syscall.SIGINT)
		select {
		case <-ended:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}
