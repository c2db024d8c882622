package redistest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"
)

// OnBoth runs the test f twice, as subtests of t: with a client of an embedded server, which runs in the
// process of the test, and with a client of a real server. Neither server contains any data.
func OnBoth(t *testing.T, f func(t *testing.T, c goredis.UniversalClient)) {
	t.Run("embedded", func(t *testing.T) { f(t, Embedded(t)) })
	t.Run("real", func(t *testing.T) { f(t, Start(t).Client()) })
}

// Embedded starts an embedded Redis server, which runs in the process of the test and uses the system
// clock. It returns a client of the server.
func Embedded(t testing.TB) *goredis.Client {
	t.Helper()
	c := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Gate is a client hook that can delay commands or make them fail.
type Gate struct {
	// Before is called before each command, and before each pipeline with its first command. If it returns an error, all of
	// them fail with it.
	Before func(cmd goredis.Cmder) error
}

// DialHook implements redis.Hook. It returns next, so that connections are opened as usual.
func (g Gate) DialHook(next goredis.DialHook) goredis.DialHook { return next }

// ProcessPipelineHook implements redis.Hook. If Before returns an error, the commands fail with that error.
func (g Gate) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []goredis.Cmder) error {
		if err := g.Before(cmds[0]); err != nil {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
			return err
		}
		return next(ctx, cmds)
	}
}

// ProcessHook implements redis.Hook. If Before returns an error, the command fails with that error.
func (g Gate) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if err := g.Before(cmd); err != nil {
			return err
		}
		return next(ctx, cmd)
	}
}

// Must returns a function that returns v or, if err is not nil, fails the test. For example, Must(f())(t)
// is the value that f returns.
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Eventually calls cond repeatedly until it returns true. If that takes longer than 20 s, the test fails. The
// parameter what describes the condition in the failure message.
func Eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for until := time.Now().Add(20 * time.Second); !cond(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("has not come: %s", what)
		}
	}
}

// ExpectLine fails the test unless err wraps kind and the message of err is a single line that contains want.
func ExpectLine(t testing.TB, err, kind error, want string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want %v with %q", err, kind, want)
	}
}

// Journal is a log in memory. Its methods may be called concurrently.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends p to the log.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// String returns the content of the log.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// Logger returns a logger whose messages are appended to j.
func (j *Journal) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// Quick returns a client of the server at addr with short timeouts and without retries. The client is
// closed at the end of the test.
func Quick(t testing.TB, addr string) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: addr, ReadTimeout: 50 * time.Millisecond, DialTimeout: time.Second, MaxRetries: -1})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
