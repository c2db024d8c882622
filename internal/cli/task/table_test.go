package task_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// The tables of tasks and of a wheel's shards also fit the width given by COLUMNS.
func TestRedisTablesFit(t *testing.T) {
	addr := miniredis.RunT(t).Addr()
	run := func(args string) clitest.Result {
		t.Helper()
		r := clitest.Run(t, "", append(strings.Fields(args), "--redis", addr)...)
		if r.Code != 0 {
			t.Fatalf("%s: %+v", args, r)
		}
		return r
	}
	run("wheel create orders --shards 2")
	run("task add a-key-of-a-task http://example.org/" + strings.Repeat("path/", 20) + " --in 1h --wheel orders")
	t.Setenv("COLUMNS", "80")
	for args, columns := range map[string][]string{"task list --wheel orders": strings.Fields("key state at attempts calls reason"), "wheel info orders": strings.Fields("shard keys waiting in_flight retrying dead")} {
		out := run(args).Out
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%s: a line of %d characters: %s", args, n, line)
			}
		}
		for _, name := range columns {
			if !strings.Contains(out, name) {
				t.Errorf("%s: no column %s in\n%s", args, name, out)
			}
		}
		if wide := run(args + " --wide").Out; strings.Count(wide, "\n") > strings.Count(out, "\n") {
			t.Errorf("%s --wide:\n%s", args, wide)
		}
		head := strings.Join(columns[:2], " ")
		if few := run(args + " --columns " + strings.Join(columns[:2], ",")).Out; !slices.ContainsFunc(strings.Split(few, "\n"), func(line string) bool { return strings.Join(strings.Fields(line), " ") == head }) {
			t.Errorf("%s --columns:\n%s", args, few)
		}
		for flags, want := range map[string]string{" --columns nope": `"nope" is not one of`, " --wide --json": "--columns and --wide are for tables"} {
			if r := clitest.Run(t, "", append(strings.Fields(args+flags), "--redis", addr)...); r.Code != 2 || !strings.Contains(r.Err, want) {
				t.Errorf("%s%s: %+v", args, flags, r)
			}
		}
	}
}
