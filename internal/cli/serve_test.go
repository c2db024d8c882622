package cli

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

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

func TestServe(t *testing.T) {
	for _, c := range []struct {
		args, stdin string
		signal      syscall.Signal
		lane        string // in the page
	}{
		{"--addr 127.0.0.1:0", "", syscall.SIGTERM, `data-lane="simple"`},
		{"serve --addr 127.0.0.1:0", "", syscall.SIGINT, `data-lane="simple"`},
		{"serve --addr 127.0.0.1:0 -", tinyScenario, syscall.SIGTERM, `data-lane="w"`},
		{"--addr 127.0.0.1:0 -", tinyScenario, syscall.SIGTERM, `data-lane="w"`},
		{"serve --addr localhost:0 --base-path /lab/ --host-allow a.example,b.example", "", syscall.SIGTERM, `data-lane="simple"`},
	} {
		s := startServer(t, c.stdin, strings.Fields(c.args)...)
		if body := s.page(t, "/"); !strings.Contains(body, c.lane) {
			t.Errorf("%s: the page has no %s", c.args, c.lane)
		}
		if code := s.stop(t, c.signal); code != 0 || s.errs.Len() > 0 {
			t.Errorf("%s: exit %d, stderr %q", c.args, code, s.errs)
		}
	}
}

func TestServePortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	r := runProgram(t, "", "serve", "--addr", taken.Addr().String())
	if r.code != 2 || r.out != "" || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, taken.Addr().String()+" is in use") {
		t.Errorf("%+v", r)
	}
}

// The trace that the page offers equals that of `run` byte for byte.
func TestServedTraceIsThatOfRun(t *testing.T) {
	s := startServer(t, tinyScenario, "serve", "--addr", "127.0.0.1:0", "-")
	body := s.page(t, "/")
	_, rest, found := strings.Cut(body, "/trace?run=")
	if !found {
		t.Fatal("the page has no link to its trace")
	}
	digest := rest[:strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })]
	if got, want := s.page(t, "/trace?run="+digest), runProgram(t, tinyScenario, "run", "-").out; got != want {
		t.Errorf("served:\n%s\nrun:\n%s", got, want)
	}
	s.stop(t, syscall.SIGTERM)
}
