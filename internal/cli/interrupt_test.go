package cli

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// asStuck is the value of asProgram for a program with the commands of newStuckRoot.
const asStuck = "stuck"

// newStuckRoot adds a command that writes a part of a file, prints a line and then ignores its
// context for ever. Its argument is the command whose grace it uses.
func newStuckRoot(s *streams) *cobra.Command {
	root := newRoot(s)
	var out string
	c := &cobra.Command{Use: "stuck", Args: cobra.ExactArgs(1), RunE: func(c *cobra.Command, args []string) error {
		switch args[0] {
		case "serve":
			s.grace.Store(int64(serveGrace))
		case "worker":
			s.grace.Store(-1)
		}
		return writeWhole(c.Context(), out, func(w io.Writer) error {
			io.WriteString(w, "a part")
			io.WriteString(s.out, "stuck\n")
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
	c, errs = program(t, "stuck", like, "-o", out), &bytes.Buffer{}
	c.Env = append(os.Environ(), asProgram+"="+asStuck)
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

// expectInterrupted waits for an interrupted program, and checks its files.
func expectInterrupted(t *testing.T, c *exec.Cmd, errs *bytes.Buffer, out string) {
	t.Helper()
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupt || errs.String() != "wheelscope: interrupted\n" {
		t.Errorf("exit %d, stderr %q", code, errs)
	}
	files, err := os.ReadDir(filepath.Dir(out))
	if data, _ := os.ReadFile(out); err != nil || len(files) != 1 || string(data) != "before" {
		t.Errorf("left behind: %v, %q, %v", files, data, err)
	}
}

// A command that ignores its context ends after its grace, and leaves no temporary file.
func TestInterruptEndsStuckCommand(t *testing.T) {
	for _, like := range []string{"run", "serve"} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(like+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				out := write(t, "t.jsonl", "before")
				c, errs := startStuck(t, out, like)
				c.Process.Signal(sig)
				expectInterrupted(t, c, errs, out)
			})
		}
	}
}

// A second signal ends a command without a grace limit.
func TestSecondInterrupt(t *testing.T) {
	out := write(t, "t.jsonl", "before")
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

// A server ends even if a request does not: its limits leave room below 5 s.
func TestServeEndsBesideEndlessRequest(t *testing.T) {
	if shutdownWait >= serveGrace || serveGrace >= 5*time.Second {
		t.Errorf("requests may take %v, the server %v", shutdownWait, serveGrace)
	}
	s := startServer(t, "", "serve", "--addr", "127.0.0.1:0")
	address := strings.TrimPrefix(s.url, "http://")
	request, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer request.Close()
	io.WriteString(request, "POST /api/import HTTP/1.1\r\nHost: "+address+"\r\nContent-Length: 1000\r\n\r\nbegun")
	s.page(t, "/") // the previous request has arrived
	if code := s.stop(t, syscall.SIGTERM); code != exitInterrupt && code != exitOK {
		t.Errorf("exit %d, stderr %q", code, s.errs)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("something listens after the end")
	}
}
