package task_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// The commands work on a cluster of six nodes as on one server, with any node as the address and
// any distribution of the shards over the masters.
func TestCommandsOnACluster(t *testing.T) {
	nodes := redistest.StartReplicatedCluster(t)
	asked := 0
	run := func(stdin string, args ...string) clitest.Result {
		t.Helper()
		asked++ // another node each time, including replicas
		return clitest.Run(t, stdin, append(args, "--redis", nodes[asked%len(nodes)].Addr)...)
	}
	expect := func(want, stdin string, args ...string) string {
		t.Helper()
		r := run(stdin, args...)
		if r.Code != 0 || r.Err != "" || !strings.Contains(r.Out, want) {
			t.Errorf("%q: %+v, want %q", args, r, want)
		}
		return r.Out
	}
	const tasks, shards = 1300, 6 // more than two batches of one script
	var file strings.Builder
	for i := range tasks {
		fmt.Fprintf(&file, `{"key":"k%04d","url":"http://h%d/","at":"2030-01-01T00:%02d:00Z"}`+"\n", i, i%2, i%60)
	}
	expect(`wheel "wheel" created (shards: 6)`, "", "wheel", "create", "wheel", "--shards", fmt.Sprint(shards))
	expect("1300 added\n", file.String(), "task", "add", "--file", "-")
	expect("0 added, 1300 were there already\n", file.String(), "task", "add", "--file", "-", "--if-absent")
	spread := 0
	for _, n := range nodes[:3] {
		if len(n.Client().Keys(t.Context(), "wheel*:tasks").Val()) > 0 {
			spread++
		}
	}
	if spread != 3 {
		t.Errorf("the tasks are on %d masters of 3", spread)
	}
	check := func(shards int) {
		t.Helper()
		if list := listAll(t, run); len(list) != tasks || list[0] != "k0000" || list[tasks-1] != "k1259" {
			t.Errorf("listed %d tasks: %.200q", len(list), list)
		}
		var info struct {
			rediswheel.Description
			Tasks []struct {
				Prefix  string
				Waiting int64
			}
		}
		if err := json.Unmarshal([]byte(expect("", "", "wheel", "info", "wheel", "--json")), &info); err != nil {
			t.Fatal(err)
		}
		waiting := int64(0)
		for _, s := range info.Tasks {
			waiting += s.Waiting
		}
		if info.Shards != shards || waiting != tasks || len(info.Tasks) != shards {
			t.Errorf("%+v, %d waiting, expected %d shards", info, waiting, shards)
		}
	}
	check(shards)
	expect("nothing is in flight", "", "wheel", "pause", "wheel", "--wait", "1s")
	expect("paused", "", "wheel", "info", "wheel")
	expect("is resumed", "", "wheel", "resume", "wheel")
	exported := expect("", "", "task", "export")
	if n := strings.Count(exported, "\n"); n != tasks {
		t.Errorf("%d tasks exported", n)
	}
	expect("650 tasks removed\n", "", "task", "remove", "--host", "h0")
	expect("650 added, 650 were there already\n", exported, "task", "import", "-")
	expect("1300 tasks removed\n", "", "task", "remove", "--match", "k*")
}

// listAll lists the keys of all tasks, page by page.
func listAll(t *testing.T, run func(string, ...string) clitest.Result) (keys []string) {
	t.Helper()
	for args := []string{}; ; {
		r := run("", append([]string{"task", "list", "--json", "--limit", "400"}, args...)...)
		for _, line := range strings.Split(r.Out, "\n") {
			if _, key, ok := strings.Cut(line, `"key": "`); ok {
				keys = append(keys, strings.TrimRight(key, `",`))
			}
		}
		_, cursor, more := strings.Cut(r.Err, "--cursor ")
		if !more || r.Code != 0 {
			return keys
		}
		args = []string{"--cursor", strings.Fields(cursor)[0]}
	}
}
