package cli

import (
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
)

// The worker page uses the Redis of the environment, like the worker.
func TestServeReadsTheEnvironment(t *testing.T) {
	addr := miniredis.RunT(t).Addr()
	t.Setenv(redisEnv, "")
	var f redisFlags
	if ask, _ := f.taskStats(); ask != nil {
		t.Error("a Redis that was not named is asked")
	}
	t.Setenv(redisEnv, addr)
	for _, wheel := range []string{"a", "b"} {
		if r := runProgram(t, "", "task", "add", "k", "http://x", "--in", "1h", "--wheel", wheel); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	ask, done := f.taskStats()
	defer done()
	for _, wheel := range []string{"a", "b", "a"} {
		if f, err := ask(t.Context(), wheel); err != nil || f.Stats.Waiting != 1 {
			t.Errorf("%s: %+v, %v", wheel, f.Stats, err)
		}
	}
}

func TestWheelNames(t *testing.T) {
	if names, err := wheelNames("a, b"); err != nil || len(names) != 2 || names[1] != "b" {
		t.Errorf("%q, %v", names, err)
	}
	for _, list := range []string{"", "a,,b", "a,a", strings.Repeat("x,", 16) + "y"} {
		if names, err := wheelNames(list); err == nil {
			t.Errorf("%q: %q", list, names)
		}
	}
}
