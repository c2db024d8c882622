package serve

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// The worker page uses the Redis set in the environment, like the worker.
func TestServeReadsTheEnvironment(t *testing.T) {
	addr := miniredis.RunT(t).Addr()
	t.Setenv(console.RedisEnv, "")
	var f console.RedisFlags
	if ask, _, _ := taskStats(&f); ask != nil {
		t.Error("a Redis that was not named is asked")
	}
	t.Setenv(console.RedisEnv, addr)
	ask, _, done := taskStats(&f)
	defer done()
	if _, err := ask(t.Context(), "a"); !errors.Is(err, rediswheel.ErrNone) {
		t.Errorf("no wheel: %v", err)
	}
	for _, wheel := range []string{"a", "b"} {
		addTaskTo(t, wheel)
	}
	for _, wheel := range []string{"a", "b", "a"} {
		if f, err := ask(t.Context(), wheel); err != nil || f.Stats.Waiting != 1 {
			t.Errorf("%s: %+v, %v", wheel, f.Stats, err)
		}
	}
}

// addTaskTo adds a task to a wheel on the Redis of the environment.
func addTaskTo(t *testing.T, wheel string) {
	t.Helper()
	f := console.RedisFlags{Wheel: wheel}
	w, done, err := f.Open(t.Context(), rediswheel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := w.AddTask(t.Context(), "k", rediswheel.Task{URL: "http://x"}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
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

// The time limits of a shutdown add up to less than 5 s.
func TestShutdownLimits(t *testing.T) {
	if shutdownWait >= grace || grace >= 5*time.Second {
		t.Errorf("requests may take %v, the server %v", shutdownWait, grace)
	}
}
