package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram is set for the processes that act as the program.
const asProgram = "WHEELSCOPE_TEST_AS_PROGRAM"

// runTests is TestMain of packages whose tests start the program in a process of its own: such a
// process is the test binary, which then acts as the program.
func runTests(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// commandWait bounds every process that a test starts.
const commandWait = time.Minute

// program is a command line ready to run.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), commandWait)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// result is the result of a command line.
type result struct {
	code     int
	out, err string
}

// runProgram runs a command line in this process.
func runProgram(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(args, strings.NewReader(stdin), &out, &errs)
	return result{code, out.String(), errs.String()}
}

// runProcess runs a command line in a process of its own.
func runProcess(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	c := program(t, args...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", args, err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// write writes a file into a directory of the test.
func write(t *testing.T, name, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const tinyScenario = `{"wheelscope":1,"name":"tiny","lanes":[{"algorithm":"simple","slots":4},{"id":"w","algorithm":"heap"}],
	"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2},{"at":1,"op":"schedule","timer":"b","delay":3}]}}`

// server is the program serving on a free port.
type server struct {
	cmd  *exec.Cmd
	url  string
	errs *bytes.Buffer
}

// startServer starts the program and waits until it listens.
func startServer(t *testing.T, stdin string, args ...string) *server {
	t.Helper()
	s := &server{cmd: program(t, args...), errs: &bytes.Buffer{}}
	s.cmd.Stdin, s.cmd.Stderr = strings.NewReader(stdin), s.errs
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(line, "listening on ")
	if err != nil || !ok {
		t.Fatalf("%v: first line %q, %v, stderr %q", args, line, err, s.errs)
	}
	s.url = strings.TrimSuffix(url, "\n")
	return s
}

// page returns the body of a page.
func (s *server) page(t *testing.T, path string) string {
	t.Helper()
	r, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v", path, r.Status, err)
	}
	return string(body)
}

// stop ends the server by a signal and returns its exit code.
func (s *server) stop(t *testing.T, sig syscall.Signal) int {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}
