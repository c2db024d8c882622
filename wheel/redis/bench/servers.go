package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// server is a redis-server on a free port of loopback that keeps nothing.
type server struct {
	addr   string
	cmd    *exec.Cmd
	client *goredis.Client
}

func startServer() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(addr)
	s := &server{addr: addr, cmd: exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no")}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("redis-server: %w (Debian: apt-get install redis-server)", err)
	}
	s.client = goredis.NewClient(&goredis.Options{Addr: addr})
	for range 1000 {
		if s.client.Ping(context.Background()).Err() == nil {
			return s, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.close()
	return nil, errors.New("redis-server does not answer")
}

// memory is what the server has allocated, in bytes.
func (s *server) memory() float64 {
	for line := range strings.Lines(s.client.Info(context.Background(), "memory").Val()) {
		if value, ok := strings.CutPrefix(line, "used_memory:"); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return n
		}
	}
	return 0
}

func (s *server) close() {
	_ = s.client.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// sink answers callbacks on loopback and counts them.
type sink struct {
	url  string
	http *http.Server
	left atomic.Int64
	all  chan struct{}
}

func startSink() (*sink, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + l.Addr().String() + "/"}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

func (s *sink) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if s.left.Add(-1) == 0 {
		close(s.all)
	}
}

// expect gives a channel that is closed once n callbacks have come.
func (s *sink) expect(n int) <-chan struct{} {
	s.all = make(chan struct{})
	s.left.Store(int64(n))
	return s.all
}

func (s *sink) close() { _ = s.http.Close() }
