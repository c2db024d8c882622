package task_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// A wheel is created, described, paused and resumed.
func TestWheelCommands(t *testing.T) {
	addr := miniredis.RunT(t).Addr()
	run := func(args ...string) clitest.Result {
		t.Helper()
		return clitest.Run(t, "", append(args, "--redis", addr)...)
	}
	expect := func(code int, want string, args ...string) {
		t.Helper()
		if r := run(args...); r.Code != code || !strings.Contains(r.Out+r.Err, want) || code != 0 && strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%q: %+v, want %q", args, r, want)
		}
	}
	expect(2, `no such wheel: "orders"`, "wheel", "info", "orders")
	expect(0, `wheel "orders" created (shards: 3)`, "wheel", "create", "orders", "--shards", "3")
	expect(2, `wheel "orders" already exists, with 3 shards`, "wheel", "create", "orders")
	expect(2, "shards: 65, expected 1 to 64", "wheel", "create", "other", "--shards", "65")
	for _, key := range []string{"a", "b", "c", "d"} {
		run("task", "add", key, "http://x", "--in", "1h", "--wheel", "orders")
	}
	expect(0, `wheel "orders", in operation: 3 shards, 0 losses of data seen`, "wheel", "info", "orders")
	expect(0, `wheel "orders" is paused, nothing is in flight`, "wheel", "pause", "orders", "--wait", "1s")
	expect(0, "orders\", paused", "wheel", "info", "orders")
	expect(0, `wheel "orders" is resumed`, "wheel", "resume", "orders")
	var info struct {
		rediswheel.Description
		Tasks []struct {
			Prefix  string
			Waiting int64
		}
	}
	r := run("wheel", "info", "orders", "--json")
	var waiting int64
	err := json.Unmarshal([]byte(r.Out), &info)
	for _, shard := range info.Tasks {
		waiting += shard.Waiting
	}
	if err != nil || info.Shards != 3 || info.Paused || waiting != 4 || len(info.Tasks) != 3 || info.Prefixes[2] != info.Tasks[2].Prefix {
		t.Errorf("%v, %+v", err, info)
	}
	expect(2, "wheel needs one of create, info, pause, resume", "wheel")
	expect(2, "info needs one NAME, 0 given", "wheel", "info")
}

// Invalid values of flags are refused by name before Redis is asked.
func TestFlagsAreCheckedFirst(t *testing.T) {
	for args, want := range map[string]string{
		"worker --lease 1ms": "--lease: 1ms, expected 500ms to", "worker --retry -5s": "--retry: -5s, expected", "worker --retry 0s": "--retry: 0s, expected",
		"worker --concurrency 0": "--concurrency: 0, expected", "worker --attempts 0": "--attempts: 0, expected", "worker --per-host 65": "--per-host: 65, expected",
		"worker --grace 2000000h": "--grace: 2000000h0m0s, expected", "worker --shards 0": "--shards: 0, expected 1 to 64", "wheel create w --shards 0": "--shards: 0, expected 1 to 64",
	} {
		r := clitest.Run(t, "", append(strings.Fields(args), "--redis", "127.0.0.1:1")...)
		if r.Code != 2 || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", args, r, want)
		}
	}
}
