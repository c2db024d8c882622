package task_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A worker that starts before its Redis waits for it and then delivers. A wrong password ends it
// at once.
func TestWorkerWaitsForRedis(t *testing.T) {
	called := make(chan string, 1)
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called <- "" }))
	defer target.Close()
	server := redistest.Start(t)
	server.Kill()
	worker := clitest.Program(t, "worker", "--redis", server.Addr, "--allow-private")
	errors, err := worker.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Process.Kill() }()
	line := make([]byte, 400)
	n, _ := errors.Read(line)
	if got := string(line[:n]); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, "connection refused") || !strings.Contains(got, "the worker keeps trying") {
		t.Errorf("%q", got)
	}
	server.Restart()
	if r := clitest.Run(t, "", "task", "add", "k", target.URL, "--redis", server.Addr); r.Code != 0 {
		t.Fatalf("add: %+v", r)
	}
	select {
	case <-called:
	case <-time.After(20 * time.Second):
		t.Fatal("not called")
	}
	_ = worker.Process.Signal(syscall.SIGTERM)
	rest, _ := io.ReadAll(errors)
	if err := worker.Wait(); err != nil || strings.Count(string(rest), "level=ERROR") != 0 {
		t.Errorf("%v, %s", err, rest)
	}
	locked := redistest.Start(t, "--requirepass", "secret")
	if r := clitest.Run(t, "", "worker", "--redis", locked.Addr); r.Code != 2 || !strings.Contains(r.Err, "it wants a password") {
		t.Errorf("%+v", r)
	}
}
