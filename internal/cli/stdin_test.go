package cli_test

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// mute is an input without data; begun is closed at the first Read.
type mute struct{ begun, end chan struct{} }

func (s *mute) Read([]byte) (int, error) {
	close(s.begun)
	<-s.end
	return 0, os.ErrClosed
}

// A command that waits for standard input is ended by a signal. Not parallel: the signal is for
// the whole process.
func TestInterruptedWhileWaiting(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"run -", "import -", "verify -", "compare -", "compare - three-slots", "export - --as csv"} {
		in := &mute{make(chan struct{}), make(chan struct{})}
		var errs bytes.Buffer
		code := make(chan int)
		go func() { code <- cli.Main(strings.Fields(args), in, &bytes.Buffer{}, &errs) }()
		<-in.begun
		if err := self.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if c := <-code; c != 130 || errs.String() != "wheelscope: interrupted\n" {
			t.Errorf("%s: exit %d, stderr %q", args, c, errs.String())
		}
		close(in.end)
	}
}

// The kind of an input that can be read only once is determined by its first bytes, too.
func TestKindsThroughAPipe(t *testing.T) {
	for name, text := range map[string]string{
		"table":    "at,id,delay\n0,a,5\n",
		"trace":    clitest.Run(t, clitest.Tiny, "run", "-").Out,
		"scenario": clitest.Tiny,
	} {
		want, got := clitest.Run(t, text, "run", "-").Out, clitest.RunProcess(t, text, "run", "/dev/stdin")
		if got.Code != 0 || events(got.Out) == "" || events(got.Out) != events(want) {
			t.Errorf("%s: exit %d, %s%s", name, got.Code, got.Err, got.Out)
		}
	}
}

// events returns the lines of a trace without its header, which may name the file, and its end
// line, which has the digest.
func events(trace string) string {
	lines := strings.SplitAfter(strings.TrimSpace(trace), "\n")
	return strings.Join(lines[1:max(1, len(lines)-1)], "")
}
