package rediswheel_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// Open fails if nothing listens at the address, or if the server never answers.
func TestNoRedis(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, err = rediswheel.Open(context.Background(), redistest.Quick(t, addr), rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrUnreachable, "no Redis at "+addr+": it gave no answer in time")
	_ = l.Close()
	_, err = rediswheel.Connect(context.Background(), addr, "")
	redistest.ExpectLine(t, err, rediswheel.ErrUnreachable, "no Redis at "+addr+": connect: connection refused")
	for _, bad := range []string{"", "here", "redis://:secret@host:port/0", "http://host:1"} {
		_, err := rediswheel.Connect(context.Background(), bad, "")
		redistest.ExpectLine(t, err, rediswheel.ErrInput, "address of Redis")
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

// The caller's ctx ends a wait for Redis, whatever the client's timeouts are.
func TestCtxEndsTheWait(t *testing.T) {
	s := redistest.Start(t)
	proxy := redistest.StartProxy(t, s.Addr)
	c := redistest.Must(rediswheel.Connect(context.Background(), proxy.Addr, ""))(t)
	defer c.Close()
	w := wheeltesting.Open(t, c, 1)
	proxy.Delay(6 * time.Second)
	for what, f := range map[string]func(ctx context.Context) error{
		"a command": func(ctx context.Context) error { return w.AddTask(ctx, "k", wheeltesting.Post, time.Now()) },
		"Connect":   func(ctx context.Context) error { _, err := rediswheel.Connect(ctx, proxy.Addr, ""); return err },
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		began := time.Now()
		redistest.ExpectLine(t, f(ctx), rediswheel.ErrUnreachable, "no Redis at "+proxy.Addr+": it gave no answer in time")
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("%s with 50ms took %v", what, took)
		}
		cancel()
	}
}

// AddTask returns at once when its ctx is cancelled, while Redis hangs.
func TestCancelEndsTheWait(t *testing.T) {
	s := redistest.Start(t)
	proxy := redistest.StartProxy(t, s.Addr)
	c := redistest.Must(rediswheel.Connect(context.Background(), proxy.Addr, ""))(t)
	defer c.Close()
	w := wheeltesting.Open(t, c, 1)
	proxy.Delay(6 * time.Second)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	if err := w.AddTask(ctx, "k", wheeltesting.Post, time.Now()); !errors.Is(err, context.Canceled) || time.Since(began) > 4*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// Open rejects a server that is not Redis, and a Redis that is too old.
func TestNotARedisOfToday(t *testing.T) {
	old := redistest.Must(server.NewServer("127.0.0.1:0"))(t)
	defer old.Close()
	_ = old.Register("INFO", func(c *server.Peer, _ string, _ []string) { c.WriteBulk("# Server\r\nredis_version:5.0.7\r\n") })
	_, err := rediswheel.Open(context.Background(), redistest.Quick(t, old.Addr().String()), rediswheel.Options{})
	redistest.ExpectLine(t, err, rediswheel.ErrTooOld, "version 5.0.7, expected 7 or newer")
}

// A password is missing, wrong, in the address, or separate from it.
func TestPasswords(t *testing.T) {
	s, ctx := redistest.Start(t, "--requirepass", "secret"), context.Background()
	_, err := rediswheel.Connect(ctx, s.Addr, "")
	redistest.ExpectLine(t, err, rediswheel.ErrAccess, "it wants a password")
	_, err = rediswheel.Connect(ctx, s.Addr, "guess")
	redistest.ExpectLine(t, err, rediswheel.ErrAccess, "wrong name or password")
	for address, password := range map[string]string{s.Addr: "secret", "redis://:secret@" + s.Addr + "/2": "ignored"} {
		c := redistest.Must(rediswheel.Connect(ctx, address, password))(t)
		wheeltesting.Open(t, c, 1)
		_ = c.Close()
	}
}

// A read-only replica refuses tasks with a clear error.
func TestReadOnly(t *testing.T) {
	s, ctx := redistest.Start(t), context.Background()
	c := s.Client()
	w := wheeltesting.Open(t, c, 1)
	if err := c.Do(ctx, "REPLICAOF", "127.0.0.1", "1").Err(); err != nil {
		t.Fatal(err)
	}
	err := w.AddTask(ctx, "k", wheeltesting.Post, time.Now())
	redistest.ExpectLine(t, err, rediswheel.ErrRefused, "refused by Redis at "+s.Addr+": it is a read-only replica")
	_, err = rediswheel.Open(ctx, c, rediswheel.Options{Name: "other"})
	redistest.ExpectLine(t, err, rediswheel.ErrRefused, "read-only replica")
}
