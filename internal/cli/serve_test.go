package cli

import (
	"net"
	"strings"
	"syscall"
	"testing"
)

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
