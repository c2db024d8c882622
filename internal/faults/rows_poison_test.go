//go:build linux

package faults

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// poisonedTask has a task whose callback always kills the worker, together with others due at that
// time. The task must become dead after a few deaths of workers; the others must be delivered.
func poisonedTask(s *scene) {
	const (
		lease    = time.Second
		attempts = 5
		key      = "poison"
	)
	s.withRedis()
	w := s.wheel(0)
	s.receiver.behave(behavior{delay: 100 * time.Millisecond})
	var current atomic.Pointer[process]
	kill := func(called string) {
		if called == key {
			s.kill(current.Load())
		}
	}
	s.receiver.onCall.Store(&kill)
	first := s.preload("task", pick(60, 2000), 10*time.Millisecond, to(s.receiver.url()))
	if err := w.AddTask(s.t.Context(), key, to(s.receiver.url()), first.Add(5*time.Millisecond)); err != nil {
		s.t.Fatal(err)
	}
	var got rediswheel.Info
	s.fault(func() {
		for range attempts + 1 {
			current.Store(s.launch("--allow-private", "--lease", lease.String(), "--concurrency", "32", "--attempts", fmt.Sprint(attempts)))
			if got = s.awaitEnd(key, current.Load()); got.State == rediswheel.Dead {
				return
			}
		}
	})
	deaths := len(s.log.of(key))
	s.say("%d deaths", deaths)
	if want := "its worker ended in each of the last 5"; got.State != rediswheel.Dead || !strings.Contains(got.Reason, want) || deaths > attempts {
		s.t.Errorf("a task whose call kills its worker is %s after %d deaths, reason %q, expected %q after at most %d", got.State, deaths, got.Reason, want, attempts)
	}
	if text, err := s.command("task", "remove", key); err != nil {
		s.t.Fatalf("task remove: %s", text)
	}
	s.finish(limits{affected: s.longestFault() + lease + recovery})
}

// awaitEnd waits until a worker has died or the task is dead, and then returns the task.
func (s *scene) awaitEnd(key string, w *process) rediswheel.Info {
	s.t.Helper()
	for limit := time.Now().Add(startWait); time.Now().Before(limit); time.Sleep(emptyEvery) {
		i, ok, err := s.wheel(0).Get(context.Background(), key)
		if err != nil || !ok {
			s.t.Fatalf("%s: found: %v, %v", key, ok, err)
		}
		if i.State == rediswheel.Dead || !w.alive() {
			return i
		}
	}
	s.t.Fatalf("%s was neither called nor given up within %v", key, startWait)
	return rediswheel.Info{}
}
