// Package clitest runs command lines in tests, in the test process or in a separate process.
package clitest

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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli"
)

// asProgram is the environment variable that, if not empty, makes a test binary run the wheelscope program
// instead of its tests.
const asProgram = "WHEELSCOPE_TEST_AS_PROGRAM"

// Main must be called by TestMain of packages whose tests start the program. In a process that Program
// started, it runs the program instead of the tests.
func Main(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// Wait is how long a process started by a test may run before it is killed.
const Wait = time.Minute

// Program returns a command that runs the wheelscope program with args in a separate process. The process
// executes the test binary, whose TestMain function must call [Main], which then runs the program. The
// process is killed after Wait.
func Program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

// Result is the exit code and the output of a command line.
type Result struct {
	Code     int
	Out, Err string
}

// Run runs the command line args in this process with stdin as its standard input.
func Run(t *testing.T, stdin string, args ...string) Result {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Main(args, strings.NewReader(stdin), &out, &errs)
	return Result{code, out.String(), errs.String()}
}

// RunProcess runs the command line args in a separate process with stdin as its standard input.
func RunProcess(t *testing.T, stdin string, args ...string) Result {
	t.Helper()
	c := Program(t, args...)
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", args, err)
	}
	return Result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// WriteFile creates a file with the given name and content in a new temporary directory of the test. It
// returns the path of the file.
func WriteFile(t *testing.T, name, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Tiny is the JSON of a scenario with two lanes and two timers.
const Tiny = `{"wheelscope":1,"name":"tiny","lanes":[{"algorithm":"simple","slots":4},{"id":"w","algorithm":"heap"}],
	"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2},{"at":1,"op":"schedule","timer":"b","delay":3}]}}`

// Server is the program running as a server on a free port.
type Server struct {
	Cmd  *exec.Cmd
	URL  string
	Errs *bytes.Buffer // standard error of the process
}

// StartServer starts the program with args, which must make it run as a server, and with stdin as its standard
// input. It waits until the server is listening. The process is killed at the end of the test.
func StartServer(t *testing.T, stdin string, args ...string) *Server {
	t.Helper()
	s := &Server{Cmd: Program(t, args...), Errs: &bytes.Buffer{}}
	s.Cmd.Stdin, s.Cmd.Stderr = strings.NewReader(stdin), s.Errs
	out, err := s.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(line, "listening on ")
	if err != nil || !ok {
		t.Fatalf("%v: first line %q, %v, stderr %q", args, line, err, s.Errs)
	}
	s.URL = strings.TrimSuffix(url, "\n")
	return s
}

// pageMax is the maximum time for which Page retries a request.
const pageMax = time.Minute

// Page requests the page at path and returns its body. While the server responds that it is busy, Page
// repeats the request, for up to pageMax. If the server is still busy then, or if the request fails in any
// other way, Page fails the test.
func (s *Server) Page(t *testing.T, path string) string {
	t.Helper()
	for began := time.Now(); ; {
		r, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err == nil && r.StatusCode == http.StatusOK {
			return string(body)
		}
		again, _ := strconv.Atoi(r.Header.Get("Retry-After"))
		if r.StatusCode != http.StatusServiceUnavailable || again == 0 || time.Since(began) > pageMax {
			t.Fatalf("GET %s: %s, %v", path, r.Status, err)
		}
		time.Sleep(time.Duration(again) * time.Second)
	}
}

// Stop sends sig to the server, waits until it has exited, and returns its exit code.
func (s *Server) Stop(t *testing.T, sig syscall.Signal) int {
	t.Helper()
	if err := s.Cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	s.Cmd.Wait()
	return s.Cmd.ProcessState.ExitCode()
}
