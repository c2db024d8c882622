package serve_test

import (
	"html"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

func TestServe(t *testing.T) {
	for _, c := range []struct {
		args, stdin string
		signal      syscall.Signal
		lane        string // in the page
	}{
		{"--addr 127.0.0.1:0", "", syscall.SIGTERM, `data-lane="simple"`},
		{"serve --addr 127.0.0.1:0", "", syscall.SIGINT, `data-lane="simple"`},
		{"serve --addr 127.0.0.1:0 -", clitest.Tiny, syscall.SIGTERM, `data-lane="w"`},
		{"--addr 127.0.0.1:0 -", clitest.Tiny, syscall.SIGTERM, `data-lane="w"`},
		{"serve --addr localhost:0 --base-path /lab/ --host-allow a.example,b.example", "", syscall.SIGTERM, `data-lane="simple"`},
	} {
		s := clitest.StartServer(t, c.stdin, strings.Fields(c.args)...)
		if body := s.Page(t, "/"); !strings.Contains(body, c.lane) {
			t.Errorf("%s: the page has no %s", c.args, c.lane)
		}
		if code := s.Stop(t, c.signal); code != 0 || s.Errs.Len() > 0 {
			t.Errorf("%s: exit %d, stderr %q", c.args, code, s.Errs)
		}
	}
}

// Wheels in JavaScript run where only this machine reaches the server, or with --own.
func TestServeOwn(t *testing.T) {
	const scenario = `{"wheelscope":1,"lanes":[{"id":"mine","algorithm":"own","source":"function create() { return {schedule() { return false }, cancel() { return false }, advance() { return [] }} }"}],` +
		`"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`
	for args, want := range map[string]string{
		"":                             "data-lane=\"mine\"",
		"--host-allow a.example":       "this server runs no JavaScript of visitors (serve --own)",
		"--host-allow a.example --own": "data-lane=\"mine\"",
	} {
		s := clitest.StartServer(t, scenario, strings.Fields("serve --addr 127.0.0.1:0 "+args+" -")...)
		for deadline := time.Now().Add(time.Minute); ; {
			r, err := http.Get(s.URL + "/?view=lab")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err == nil && strings.Contains(html.UnescapeString(string(body)), want) {
				break
			}
			if r.StatusCode != http.StatusServiceUnavailable || time.Now().After(deadline) { // the process of the wheel may start late
				t.Errorf("%q: %s %v: the page has no %s", args, r.Status, err, want)
				break
			}
		}
		s.Stop(t, syscall.SIGTERM)
	}
}

func TestServePortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	r := clitest.Run(t, "", "serve", "--addr", taken.Addr().String())
	if r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, taken.Addr().String()+" is in use") {
		t.Errorf("%+v", r)
	}
}

// The trace that the page offers equals that of `run` byte for byte.
func TestServedTraceIsThatOfRun(t *testing.T) {
	s := clitest.StartServer(t, clitest.Tiny, "serve", "--addr", "127.0.0.1:0", "-")
	body := s.Page(t, "/?view=lab")
	_, rest, found := strings.Cut(body, "/trace?run=")
	if !found {
		t.Fatal("the page has no link to its trace")
	}
	digest := rest[:strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })]
	if got, want := s.Page(t, "/trace?run="+digest), clitest.Run(t, clitest.Tiny, "run", "-").Out; got != want {
		t.Errorf("served:\n%s\nrun:\n%s", got, want)
	}
	s.Stop(t, syscall.SIGTERM)
}
