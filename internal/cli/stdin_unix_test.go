//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli"
)

// namedPipe creates a named pipe.
func namedPipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A command that waits for a pipe's writer is ended by a signal, as on standard input. Not
// parallel: the signal is for the whole process.
func TestInterruptedAtAPipe(t *testing.T) {
	for _, args := range []string{"run PIPE", "import PIPE", "verify PIPE", "compare PIPE", "compare three-slots PIPE",
		"export PIPE --as csv", "serve PIPE", "task add key --handler x --body-file PIPE"} {
		name := namedPipe(t)
		var errs bytes.Buffer
		code := make(chan int)
		go func() {
			code <- cli.Main(strings.Fields(strings.Replace(args, "PIPE", name, 1)), &bytes.Buffer{}, &bytes.Buffer{}, &errs)
		}()
		writer, err := os.OpenFile(name, os.O_WRONLY, 0) // waits until it is opened for reading
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if c := <-code; c != 130 || errs.String() != "wheelscope: interrupted\n" {
			t.Errorf("%s: exit %d, stderr %q", args, c, errs.String())
		}
		writer.Close()
	}
}
