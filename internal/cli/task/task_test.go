package task_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// shown are fields of a task in the output of task get --json and task list --json.
type shown struct {
	Key      string
	KeyBytes []byte `json:"key_base64"`
	State    string
	Headers  map[string]string
	Handler  string
	Body     string
	Base64   []byte `json:"body_base64"`
}

// onRedis runs commands on the wheel of an embedded server.
func onRedis(t *testing.T) (run func(stdin string, args ...string) clitest.Result) {
	t.Helper()
	addr := miniredis.RunT(t).Addr()
	return func(stdin string, args ...string) clitest.Result {
		t.Helper()
		return clitest.Run(t, stdin, append(args, "--redis", addr)...)
	}
}

// A task is added, replaced, shown, listed and removed.
func TestTaskCommands(t *testing.T) {
	run := onRedis(t)
	r := run("", "task", "add", "order 7", "https://example.org/x", "--at", "2030-01-01T03:00:00.0001+01:00", "--header", "X-A: b c", "--body", "hi")
	if want := "order 7 is due 2030-01-01T02:00:00.001Z\n"; r.Code != 0 || r.Out != want || r.Err != "" {
		t.Fatalf("add: %+v, want %q", r, want)
	}
	run("", "task", "add", "soon", "https://example.org/y", "--in", "1h", "--method", "put")
	run("mail\xff", "task", "add", "mail", "--handler", "send", "--in", "2h", "--body-file", "-")
	rows := strings.Split(strings.TrimSpace(run("", "task", "list").Out), "\n")
	if len(rows) != 4 || !strings.HasPrefix(rows[1], "soon ") || !strings.Contains(rows[1], "PUT https://example.org/y") ||
		!strings.HasPrefix(rows[2], "mail ") || !strings.Contains(rows[3], `"order 7"`) || !strings.Contains(rows[3], "2030-01-01T02:00:00.001Z") {
		t.Errorf("list: %q", rows)
	}
	var row shown
	r = run("", "task", "get", "order 7", "--json")
	if err := json.Unmarshal([]byte(r.Out), &row); err != nil || row.Body != "hi" || row.Headers["X-A"] != "b c" || row.State != "waiting" {
		t.Errorf("get: %+v %v", row, err)
	}
	var list []shown
	r = run("", "task", "list", "--json", "--from", time.Now().Add(90*time.Minute).Format(time.RFC3339), "--limit", "1")
	if err := json.Unmarshal([]byte(r.Out), &list); err != nil || len(list) != 1 || string(list[0].Base64) != "mail\xff" || list[0].Handler != "send" {
		t.Errorf("list --from: %+v %v", list, err)
	}
	r = run("", "task", "list", "--json", "--from", "2030-01-01T02:00:00.001Z", "--after", "order 7")
	if r.Out != "[]\n" {
		t.Errorf("list --after the last: %+v", r)
	}
	r = run("", "task", "remove", "soon", "never", "mail")
	if r.Code != 2 || r.Out != "soon removed\nmail removed\n" || r.Err != "wheelscope: no task \"never\"\n" {
		t.Errorf("remove: %+v", r)
	}
	if r = run("", "task", "list", "--state", "dead", "--json"); r.Out != "[]\n" {
		t.Errorf("no dead: %+v", r)
	}
}

// A list says which states it leaves out. With --state all it has all of them, also page by page. A task whose handler
// no worker has shows that.
func TestListOfAllStates(t *testing.T) {
	run := onRedis(t)
	run("", "task", "add", "late", "--handler", "misspelt", "--at", "2020-01-01T00:00:00Z")
	lines := `{"key":"r","url":"http://x","state":"retrying","due":"2030-01-01T00:00:00Z","at":"2030-01-01T00:00:00Z","reason":"answered 500"}
{"key":"d","url":"http://x","state":"dead","due":"2020-01-01T00:00:00Z","at":"2020-01-01T00:00:00Z","reason":"answered 404"}
`
	if r := run(lines, "task", "import", "-"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	r := run("", "task", "list")
	if r.Err != "not listed: 1 retrying, 1 dead (--state all)\n" || !strings.Contains(r.Out, `no worker with the handler "misspelt" has claimed it`) {
		t.Errorf("%+v", r)
	}
	var keys []string
	args := []string{"task", "list", "--state", "all", "--json", "--limit", "1"}
	for range 3 {
		r := run("", args...)
		var list []shown
		if err := json.Unmarshal([]byte(r.Out), &list); err != nil || len(list) != 1 {
			t.Fatalf("%+v %v", r, err)
		}
		keys = append(keys, list[0].Key)
		if _, cursor, more := strings.Cut(strings.TrimSpace(r.Err), "--cursor "); more {
			args = append(args[:7:7], "--cursor", cursor)
		}
	}
	if got := strings.Join(keys, " "); got != "late r d" {
		t.Errorf("listed %s", got)
	}
	if r := run("", "task", "list", "--state", "all"); r.Err != "" || strings.Count(r.Out, "\n") != 4 {
		t.Errorf("%+v", r)
	}
}

// With --log-format json everything that a worker prints is JSON.
func TestWorkerPrintsJSON(t *testing.T) {
	for _, args := range [][]string{{"--shards", "0"}, {"--redis", "nowhere"}} {
		r := clitest.Run(t, "", append([]string{"worker", "--log-format", "json"}, args...)...)
		if r.Code != 2 || r.Out != "" || !json.Valid([]byte(r.Err)) || !strings.Contains(r.Err, `"level":"ERROR"`) {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// A periodic task is listed with its next run, and exported and imported.
func TestPeriodicTask(t *testing.T) {
	run := onRedis(t)
	for _, args := range [][]string{{"hourly", "http://x", "--every", "1h"}, {"daily", "--handler", "h", "--cron", "30 2 * * *", "--zone", "Europe/Berlin", "--catch-up"}} {
		if r := run("", append([]string{"task", "add"}, args...)...); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	r := run("", "task", "list", "--json")
	var list []struct {
		Key, Every, Cron, Zone string
		CatchUp                bool `json:"catch_up"`
		At                     time.Time
	}
	if err := json.Unmarshal([]byte(r.Out), &list); err != nil || len(list) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	for _, row := range list {
		hourly := row.Key == "hourly" && row.Every == "1h0m0s" && time.Until(row.At) > 59*time.Minute
		daily := row.Key == "daily" && row.Cron == "30 2 * * *" && row.Zone == "Europe/Berlin" && row.CatchUp && row.At.Minute() == 30
		if !hourly && !daily {
			t.Errorf("%+v", row)
		}
	}
	lines := run("", "task", "export").Out
	run("", "task", "remove", "hourly", "daily")
	if r := run(lines, "task", "import", "-"); r.Code != 0 || run("", "task", "export").Out != lines {
		t.Errorf("%+v", r)
	}
	if r := run("", "task", "add", "k", "http://x", "--cron", "every day"); r.Code != 2 || !strings.Contains(r.Err, `cron: "every day"`) {
		t.Errorf("%+v", r)
	}
	if r := run("", "task", "move", "hourly", "--in", "2h"); r.Code != 0 || !strings.HasPrefix(r.Out, "hourly is due ") {
		t.Errorf("%+v", r)
	}
	if r := run("", "task", "run", "daily", "gone"); r.Out != "daily is due now\n" || r.Err != "wheelscope: no task \"gone\"\n" {
		t.Errorf("%+v", r)
	}
}

// The table has no text that controls a terminal, whatever the name of a handler or the error of
// a callback; JSON has it unchanged, escaped.
func TestTableSteersNoTerminal(t *testing.T) {
	run := onRedis(t)
	run("", "task", "add", "k", "--handler", "a\x1b[2J\u202eb", "--in", "1h")
	if r := run("", "task", "list"); !strings.Contains(r.Out, ` a\x1b[2J\u202eb`) || strings.ContainsAny(r.Out, "\x1b\u202e") {
		t.Errorf("list: %q", r.Out)
	}
	var row shown
	if r := run("", "task", "get", "k", "--json"); json.Unmarshal([]byte(r.Out), &row) != nil || row.Handler != "a\x1b[2J\u202eb" || strings.Contains(r.Out, "\x1b") {
		t.Errorf("get: %q", r.Out)
	}
}

// A key in a message does not control a terminal either.
func TestKeysInMessagesSteerNoTerminal(t *testing.T) {
	run := onRedis(t)
	const key, printed = "a\x1b[2J\nb", `a\x1b[2J\x0ab `
	for _, args := range [][]string{{"add", key, "http://x"}, {"remove", key}} {
		if r := run("", append([]string{"task"}, args...)...); r.Code != 0 || !strings.HasPrefix(r.Out, printed) {
			t.Errorf("%q: %+v", args[0], r)
		}
	}
}

// A key that is not text can be recovered from JSON.
func TestKeyOfBytes(t *testing.T) {
	run := onRedis(t)
	for _, key := range []string{"k\xff", "k\u00ff"} {
		run("", "task", "add", key, "http://x", "--in", "1h")
		var row shown
		r := run("", "task", "get", key, "--json")
		if err := json.Unmarshal([]byte(r.Out), &row); err != nil || row.Key != key && string(row.KeyBytes) != key || row.Key == key && row.KeyBytes != nil {
			t.Errorf("%q: %+v %v", key, row, err)
		}
	}
}

// A delay is counted from the clock of Redis, and "at once" means the time of that clock, even if
// this machine's clock is wrong.
func TestWaitsCountFromTheClockOfRedis(t *testing.T) {
	m := miniredis.RunT(t)
	m.SetTime(time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC))
	for want, args := range map[string][]string{
		"now is due 2020-02-03T04:05:06.000Z\n":   {"now", "http://x"},
		"in is due 2020-02-03T04:06:06.000Z\n":    {"in", "http://x", "--in", "1m"},
		"at is due 2030-01-01T00:00:00.000Z\n":    {"at", "http://x", "--at", "2030-01-01T01:00:00+01:00"},
		"early is due 2020-02-03T03:05:06.000Z\n": {"early", "http://x", "--in", "-1h"},
	} {
		if r := clitest.Run(t, "", append([]string{"task", "add", "--redis", m.Addr()}, args...)...); r.Out != want || r.Err != "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// A user who may add tasks but not read the clock uses the clock of this machine.
func TestAddWithoutTheClockOfRedis(t *testing.T) {
	server := redistest.Start(t)
	if err := server.Client().Do(t.Context(), "ACL", "SETUSER", "adder", "on", ">pw", "~*", "+@all", "-time").Err(); err != nil {
		t.Fatal(err)
	}
	r := clitest.Run(t, "", "task", "add", "k", "http://x", "--redis", "redis://adder:pw@"+server.Addr)
	if r.Code != 0 || !strings.HasPrefix(r.Out, "k is due ") || r.Err != "" {
		t.Errorf("%+v", r)
	}
}

// Errors are one line, with exit code 2.
func TestTaskMistakes(t *testing.T) {
	run := onRedis(t)
	run("", "task", "add", "other", "https://example.org/x", "--in", "1h")
	for want, args := range map[string][]string{
		"task needs one of add, export, get, import, list, move, remove, retry, run": {"task"},
		`"fetch" is not a command of task`:                                           {"task", "fetch"},
		`"remov" is not a command of task; expected add, export, get,`:               {"task", "remov", "k", "--in", "2h"},
		`did you mean "move"?`:                                                       {"task", "reschedule", "k", "--in", "2h"},
		"move needs one of --in and --at":                                            {"task", "move", "k"},
		`no task "gone"`:                                                             {"task", "move", "gone", "--in", "1h"},
		"no task \"gone\"\n":                                                         {"task", "run", "gone"},
		"KEY and URL expected, 1 argument given":                                     {"task", "add", "k"},
		"KEY alone, beside --handler, expected":                                      {"task", "add", "k", "http://x", "--handler", "h"},
		`url: "here", expected http://HOST/`:                                         {"task", "add", "k", "here"},
		"before 1970":                                                                {"task", "add", "k", "http://x", "--at", "1969-01-01T00:00:00Z"},
		`--at: "noon" is not a time such as 2030-01-01T03:00:00Z`:                    {"task", "add", "k", "http://x", "--at", "noon"},
		"--at and --in: only one":                                                    {"task", "add", "k", "http://x", "--at", "2030-01-01T00:00:00Z", "--in", "1s"},
		`--header: "no colon" is not NAME: VALUE`:                                    {"task", "add", "k", "http://x", "--header", "no colon"},
		"--body-file: /nowhere/x: no such file":                                      {"task", "add", "k", "http://x", "--body-file", "/nowhere/x"},
		"--body-file: -: more than 262144 bytes":                                     {"task", "add", "k", "http://x", "--body-file", "-"},
		"remove needs a KEY":                                                         {"task", "remove"},
		"get needs one KEY, 2 given":                                                 {"task", "get", "a", "b"},
		`no task "k" (a delivered task is deleted)`:                                  {"task", "get", "k"},
		`state: "lost", expected waiting, in-flight, retrying or dead`:               {"task", "list", "--state", "lost"},
		"--limit: 0, expected 1 to 1000":                                             {"task", "list", "--limit", "0"},
		"--after needs --from, the time at which the list continues":                 {"task", "list", "--after", "k"},
		`no such wheel: "mine", created by its first worker or task`:                 {"task", "list", "--wheel", "mine"},
		`--from: "noon" is not a time`:                                               {"task", "list", "--from", "noon"},
		`name of the wheel: "a b"`:                                                   {"task", "list", "--wheel", "a b"},
		"--lease: 1ms, expected 500ms to":                                            {"worker", "--lease", "1ms"},
		"worker takes no arguments":                                                  {"worker", "now"},
		`--allow-net: "10.0.0.1", expected a network such as`:                        {"worker", "--allow-net", "10.0.0.0/8", "--allow-net", "10.0.0.1"},
		`--log-format: "xml", expected text or json`:                                 {"worker", "--log-format", "xml"},
		"--per-host: 65, expected 1 to the concurrency, 64":                          {"worker", "--per-host", "65"},
	} {
		r := run(strings.Repeat("x", 300<<10), args...)
		if r.Code != 2 || r.Out != "" && !strings.HasPrefix(r.Out, "working") || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%q: %+v, want %q", args, r, want)
		}
	}
	t.Setenv(console.RedisEnv, "127.0.0.1:1")
	r := clitest.Run(t, "", "task", "list")
	if want := "wheelscope: no Redis at 127.0.0.1:1: connect: connection refused (--redis ADDR sets"; r.Code != 2 || !strings.HasPrefix(r.Err, want) {
		t.Errorf("away: %+v", r)
	}
}

// Commands that read or remove tasks do not create a wheel. A worker that starts later can still
// choose its number of shards.
func TestReadingMakesNoWheel(t *testing.T) {
	m := miniredis.RunT(t)
	for _, args := range [][]string{{"list"}, {"get", "k"}, {"remove", "k"}} {
		r := clitest.Run(t, "", append([]string{"task", "--redis", m.Addr()}, args...)...)
		if r.Code != 2 || !strings.Contains(r.Err, "no such wheel") {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if keys := m.Keys(); len(keys) > 0 {
		t.Errorf("made: %q", keys)
	}
	if r := clitest.Run(t, "", "task", "add", "k", "http://x", "--redis", m.Addr()); r.Code != 0 {
		t.Errorf("add: %+v", r)
	}
}

// The worker starts its own server, delivers the tasks that other commands add there, and on a
// signal ends with a summary.
func TestWorkerCommand(t *testing.T) {
	called := make(chan string, 10)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		called <- r.Method + " " + string(body)
	}))
	defer target.Close()
	worker := clitest.Program(t, "worker", "--embedded", "--redis", "127.0.0.1:0", "--allow-net", "127.0.0.0/8", "--redirects", "0", "--log-format", "json")
	var log bytes.Buffer
	worker.Stderr = &log
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Process.Kill() }()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	var begun struct {
		Redis, Wheel string
		Shards       int
	}
	if err != nil || json.Unmarshal([]byte(first), &begun) != nil || begun.Wheel != "wheel" || begun.Shards != 16 {
		t.Fatalf("first line %q, %v", first, err)
	}
	addr := begun.Redis
	if r := clitest.Run(t, "", "task", "add", "k", target.URL, "--body", "now", "--redis", addr); r.Code != 0 {
		t.Fatalf("add: %+v", r)
	}
	if got := <-called; got != "POST now" {
		t.Errorf("called %q", got)
	}
	for r := clitest.Run(t, "", "task", "get", "k", "--redis", addr); r.Code == 0; r = clitest.Run(t, "", "task", "get", "k", "--redis", addr) {
		time.Sleep(5 * time.Millisecond)
	}
	if r := clitest.Run(t, "", "task", "add", "closed", "http://127.0.0.1:1/", "--redis", addr); r.Code != 0 {
		t.Fatalf("add: %+v", r)
	}
	for r := (clitest.Result{}); !strings.Contains(r.Out, "refused"); r = clitest.Run(t, "", "task", "get", "closed", "--redis", addr) {
		time.Sleep(5 * time.Millisecond)
	}
	_ = worker.Process.Signal(syscall.SIGTERM)
	last, _ := io.ReadAll(lines)
	if err := worker.Wait(); err != nil || !strings.Contains(string(last), `"delivered":1,`) {
		t.Errorf("ended with %v, %q", err, last)
	}
	var line struct{ Level, Msg, Key, Where string }
	first, _, _ = strings.Cut(log.String(), "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Level != "WARN" || line.Key != "closed" || line.Where != "127.0.0.1:1" {
		t.Errorf("logged %s: %+v, %v", log.String(), line, err)
	}
	if r := clitest.Run(t, "", "worker", "--embedded", "--redis", strings.TrimPrefix(target.URL, "http://")); r.Code != 2 || !strings.Contains(r.Err, "--embedded: ") {
		t.Errorf("an address that is taken: %+v", r)
	}
}
