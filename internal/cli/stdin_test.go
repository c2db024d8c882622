package cli

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that waits for standard input ends when it is told to.
func TestInterruptedWhileWaiting(t *testing.T) {
	for _, args := range []string{"run -", "import -", "verify -", "compare -", "compare - three-slots", "export - --as csv"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			in, keep, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer keep.Close()
			defer in.Close()
			c := program(t, strings.Fields(args)...)
			var errs bytes.Buffer
			c.Stdin, c.Stderr = in, &errs
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			// A signal before the program listens would end it at once, without a word.
			time.Sleep(time.Second)
			c.Process.Signal(syscall.SIGINT)
			c.Wait()
			if code := c.ProcessState.ExitCode(); code != exitInterrupt || errs.String() != "wheelscope: interrupted\n" {
				t.Errorf("exit %d, stderr %q", code, errs.String())
			}
		})
	}
}

// What can be read only once is known by its beginning like any other file.
func TestKindsThroughAPipe(t *testing.T) {
	if _, err := os.Stat("/dev/stdin"); err != nil {
		t.Log("no /dev/stdin here: nothing to try")
		return
	}
	table := "at,id,delay\n0,a,5\n"
	want := runProgram(t, table, "run", "-").out
	trace := runProgram(t, tinyScenario, "run", "-").out
	for name, c := range map[string]struct{ in, out string }{
		"table":    {table, strings.ReplaceAll(want, `"imported"`, `"stdin"`)},
		"trace":    {trace, trace},
		"scenario": {tinyScenario, trace},
	} {
		got := runProcess(t, c.in, "run", "/dev/stdin")
		_, got.out, _ = strings.Cut(got.out, "\n") // the header names the file
		_, events, _ := strings.Cut(c.out, "\n")
		end := strings.LastIndex(strings.TrimSuffix(events, "\n"), "\n") // whose digest covers the header
		if got.code != 0 || len(got.out) < end || got.out[:end] != events[:end] {
			t.Errorf("%s: exit %d, %s%s", name, got.code, got.err, got.out)
		}
	}
}
