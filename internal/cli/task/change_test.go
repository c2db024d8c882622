package task_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// deadTasks starts a Redis whose wheel has n dead tasks, k0 …, each "answered 500". limit is the
// --dead-max of the worker that made them.
func deadTasks(t *testing.T, n int, limit string) (run func(args ...string) clitest.Result, workerLog string) {
	t.Helper()
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	t.Cleanup(target.Close)
	addr := redistest.Start(t).Addr
	run = func(args ...string) clitest.Result { return clitest.Run(t, "", append(args, "--redis", addr)...) }
	if r := run("wheel", "create", "wheel", "--shards", "1"); r.Code != 0 { // --dead-max is divided among the shards
		t.Fatalf("create: %+v", r)
	}
	for i := range n {
		if r := run("task", "add", "k"+string(rune('0'+i)), target.URL); r.Code != 0 {
			t.Fatalf("add: %+v", r)
		}
	}
	var log strings.Builder
	worker := clitest.Program(t, "worker", "--redis", addr, "--allow-private", "--attempts", "1", "--dead-max", limit)
	worker.Stderr = &log
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(20 * time.Second)
	for !strings.Contains(run("task", "list", "--state", "waiting", "--json").Out+run("task", "list", "--state", "in-flight", "--json").Out, "[]\n[]\n") {
		if time.Now().After(until) {
			t.Fatal("the tasks are not dead")
		}
	}
	_ = worker.Process.Signal(syscall.SIGTERM)
	if err := worker.Wait(); err != nil {
		t.Fatal(err)
	}
	return run, log.String()
}

// Dead tasks beyond --dead-max are deleted with an error line. The others can be retried, removed.
func TestTaskRetryAndRemove(t *testing.T) {
	run, log := deadTasks(t, 8, "6")
	if !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "since_start=2 dead_max=6") {
		t.Errorf("log: %s", log)
	}
	dead := run("task", "list", "--state", "dead", "--json").Out
	if strings.Count(dead, "answered 500") != 6 {
		t.Fatalf("dead: %s", dead)
	}
	_, key, _ := strings.Cut(dead, `"key": "`)
	key = key[:2]
	for _, c := range []struct{ out, args string }{
		{"0 tasks due now\n", "retry --error 404"},
		{"1 task due now\n", "retry --match " + key},
		{"0 tasks removed\n", "remove --match k? --state dead --host example.org"},
		{"5 tasks removed\n", "remove --match k? --error answered"},
		{"0 tasks due now\n", "retry --all"},
	} {
		if r := run(append([]string{"task"}, strings.Fields(c.args)...)...); r.Code != 0 || r.Err != "" || r.Out != c.out {
			t.Errorf("%s: %+v, want %q", c.args, r, c.out)
		}
	}
	if r := run("task", "retry", key); r.Code != 2 || !strings.Contains(r.Err, "neither dead nor waiting for another attempt: \""+key) {
		t.Errorf("%+v", r)
	}
}

func TestTaskChangeMistakes(t *testing.T) {
	run := onRedis(t)
	run("", "task", "add", "k", "http://x", "--in", "1h")
	for want, args := range map[string]string{
		"retry needs a KEY, --match, --host, --error or --all": "retry",
		"retry takes either a KEY or flags":                    "retry k --all",
		"--all can't be combined with --match":                 "retry --all --host h",
		"state: \"waiting\", expected dead or retrying":        "retry --all --state waiting",
		"remove needs a KEY, --match, --host or --error":       "remove --state dead",
		"remove takes either a KEY or flags":                   "remove k --match *",
		"match: 1025 bytes, expected at most 1024":             "remove --match " + strings.Repeat("x", 1025),
	} {
		r := run("", append([]string{"task"}, strings.Fields(args)...)...)
		if r.Code != 2 || r.Out != "" || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%q: %+v, want %q", args, r, want)
		}
	}
}
