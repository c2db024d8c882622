package task_test

import (
	"bufio"
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

// fetch returns the status and the body of a page.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(body)
}

// A worker serves metrics and health. Without Redis it is alive, but after a while not ready.
func TestWorkerMetrics(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer target.Close()
	server := redistest.Start(t)
	for _, args := range [][]string{{"wheel", "create", "wheel", "--shards", "1"}, {"task", "add", "k", target.URL}} {
		if r := clitest.Run(t, "", append(args, "--redis", server.Addr)...); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	worker := clitest.Program(t, "worker", "--redis", server.Addr, "--allow-private", "--metrics", "127.0.0.1:0")
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	_, _ = lines.ReadString('\n')
	line, _ := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "/metrics\n"), "metrics on ")
	if !ok {
		t.Fatalf("%q", line)
	}
	const want = "wheelscope_tasks_delivered_total{shard=\"0\",wheel=\"wheel\"} 1\n"
	until := time.Now().Add(20 * time.Second)
	for _, text := fetch(t, url+"/metrics"); !strings.Contains(text, want) && time.Now().Before(until); _, text = fetch(t, url+"/metrics") {
		time.Sleep(100 * time.Millisecond)
	}
	code, text := fetch(t, url+"/metrics") // again: the first read may have come before the delivery was stored in Redis
	for _, want := range []string{want, "wheelscope_worker_calls_total{handler=\"\",wheel=\"wheel\"} 1\n", "wheelscope_workers{wheel=\"wheel\"} 1\n",
		"wheelscope_tasks_lateness_seconds_count{shard=\"0\",wheel=\"wheel\"} 1\n", "go_goroutines "} {
		if code != 200 || !strings.Contains(text, want) {
			t.Errorf("%d: %q is missing in %s", code, want, text)
		}
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/": 404} {
		if code, text := fetch(t, url+path); code != want {
			t.Errorf("%s: %d, %s", path, code, text)
		}
	}
	server.Kill()
	if code, text := fetch(t, url+"/healthz"); code != 200 {
		t.Errorf("healthz without Redis: %d, %s", code, text)
	}
	if r := clitest.Run(t, "", "worker", "--embedded", "--redis", "127.0.0.1:0", "--metrics", strings.TrimPrefix(url, "http://")); r.Code != 2 || !strings.Contains(r.Err, "--metrics: listen tcp") {
		t.Errorf("an address that is taken: %+v", r)
	}
	_ = worker.Process.Signal(syscall.SIGTERM)
	_, _ = io.ReadAll(lines)
	if err := worker.Wait(); err != nil {
		t.Error(err)
	}
}
