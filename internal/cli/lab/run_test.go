package lab_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

func TestRunToFileAndStdout(t *testing.T) {
	want := clitest.Run(t, clitest.Tiny, "run", "-")
	if want.Code != 0 || want.Err != "" || !strings.HasPrefix(want.Out, `{"wheelscope":1,"kind":"trace","scenario":`) {
		t.Fatalf("exit %d, stderr %q, stdout %q", want.Code, want.Err, want.Out)
	}
	scenario := clitest.WriteFile(t, "tiny.json", clitest.Tiny)
	plain, packed := filepath.Join(t.TempDir(), "t.jsonl"), filepath.Join(t.TempDir(), "t.jsonl.gz")
	for _, out := range []string{plain, packed, plain, packed} { // each a second time, which overwrites the first
		before, _ := os.ReadFile(out)
		if r := clitest.Run(t, "", "run", scenario, "-o", out); r.Code != 0 || r.Out != "" || r.Err != "" {
			t.Fatalf("run -o %s: %+v", out, r)
		}
		after, err := os.ReadFile(out)
		if err != nil || before != nil && !bytes.Equal(before, after) {
			t.Errorf("%s: %v; the same bytes twice: %v", out, err, bytes.Equal(before, after))
		}
		if r := clitest.Run(t, "", "verify", out); r.Code != 0 || !strings.Contains(r.Out, "identical") {
			t.Errorf("verify %s: %+v", out, r)
		}
	}
	if got, _ := os.ReadFile(plain); string(got) != want.Out {
		t.Error("the file is not what stdout gives")
	}
	if info, err := os.Stat(plain); err != nil || info.Mode().Perm()&0o400 == 0 || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestRunOutputThroughLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if r := clitest.Run(t, clitest.Tiny, "run", "-", "-o", link); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	data, err := os.ReadFile(file)
	info, _ := os.Lstat(link)
	if err != nil || !bytes.HasPrefix(data, []byte(`{"wheelscope"`)) || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, the file behind it %.20q, %v", info.Mode(), data, err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the file before", info.Mode())
	}
}

// A symbolic link to a missing file stays a link.
func TestRunOutputThroughDanglingLink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if r := clitest.Run(t, clitest.Tiny, "run", "-", "-o", link); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	data, err := os.ReadFile(filepath.Join(dir, "file"))
	if info, _ := os.Lstat(link); err != nil || !bytes.HasPrefix(data, []byte(`{"wheelscope"`)) || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, the file behind it %.20q, %v", info.Mode(), data, err)
	}
}

// A chain of links to a file that does not exist yet is followed to its end.
func TestChainedDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	for link, to := range map[string]string{"a": "b", "b": "c", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if r := clitest.Run(t, clitest.Tiny, "run", "-", "-o", filepath.Join(dir, "a")); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if info, err := os.Lstat(filepath.Join(dir, "c")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the file at the end of the links: %v, %v", info, err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "b")); err != nil || to != "c" {
		t.Errorf("a link was replaced: %q, %v", to, err)
	}
	if r := clitest.Run(t, clitest.Tiny, "run", "-", "-o", filepath.Join(dir, "loop")); r.Code != 2 {
		t.Errorf("a loop: %+v", r)
	}
}

// longScenario runs longer than any test waits.
const longScenario = `{"wheelscope":1,"until":200000000,"lanes":[{"algorithm":"heap"}],
	"workload":{"ops":[{"at":0,"op":"schedule","timer":"beat","delay":1,"every":1}]}}`

func TestRunInterrupted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "t.jsonl")
	c := clitest.Program(t, "run", "-", "-o", out)
	var errs bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(longScenario), &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the file being written", func() bool {
		files, _ := os.ReadDir(filepath.Dir(out))
		return len(files) > 0
	})
	c.Process.Signal(syscall.SIGINT)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 || errs.String() != "wheelscope: interrupted\n" {
		t.Errorf("exit %d, stderr %q", code, errs.String())
	}
	if files, _ := os.ReadDir(filepath.Dir(out)); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

// If the reader of its output, such as head, exits, a run ends without a message.
func TestRunBrokenPipe(t *testing.T) {
	c := clitest.Program(t, "run", "-")
	var errs bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(longScenario), &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	c.Wait()
	if errs.Len() > 0 || c.ProcessState.Success() {
		t.Errorf("%v, stderr %q", c.ProcessState, errs.String())
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(clitest.Wait); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if so() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
