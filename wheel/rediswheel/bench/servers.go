package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/valyala/fasthttp"
)

// server is a redis-server process without persistence that listens on a free loopback port.
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

// memory returns the number of bytes of memory that the server has allocated.
func (s *server) memory() float64 { return s.info("memory", "used_memory:") }

// commands returns the number of commands that the server has run, including those in scripts.
func (s *server) commands() float64 { return s.info("stats", "total_commands_processed:") }

// processorTime returns the CPU time that the server has used, in µs.
func (s *server) processorTime() float64 {
	return 1e6 * (s.info("cpu", "used_cpu_user:") + s.info("cpu", "used_cpu_sys:"))
}

// processorTime returns the CPU time that this program has used, in µs.
func processorTime() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // can't fail
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
}

// labelled calls f with the profiler label "part" set to the argument part, so that CPU profiles
// show the worker and the receiver of the callbacks separately.
func labelled(ctx context.Context, part string, f func(context.Context)) {
	pprof.Do(ctx, pprof.Labels("part", part), f)
}

func (s *server) info(section, field string) float64 {
	for line := range strings.Lines(s.client.Info(context.Background(), section).Val()) {
		if value, ok := strings.CutPrefix(line, field); ok {
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

// sink is an HTTP server on loopback that answers and counts callbacks. If the first line of a body is a time in
// RFC 3339 format, sink takes it as the due time of the task and records the lateness. It shares the machine with
// the measured programs, so it uses a server that needs less CPU time than net/http.
type sink struct {
	url  string
	l    net.Listener
	left atomic.Int64  // number of callbacks still expected
	all  chan struct{} // closed when left reaches 0

	mu   sync.Mutex
	late []time.Duration
}

func startSink() (*sink, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + l.Addr().String() + "/", l: l}
	server := &fasthttp.Server{Handler: s.serve, ReadTimeout: time.Minute}
	go labelled(context.Background(), "receiver", func(context.Context) { _ = server.Serve(l) })
	return s, nil
}

func (s *sink) serve(r *fasthttp.RequestCtx) { s.count(r.PostBody()) }

// count counts a callback with the given body, and records its lateness if the first line of body is the due time.
func (s *sink) count(body []byte) {
	now := time.Now()
	if line, _, ok := strings.Cut(string(body), "\n"); ok {
		if due, err := time.Parse(time.RFC3339Nano, line); err == nil {
			s.mu.Lock()
			s.late = append(s.late, now.Sub(due))
			s.mu.Unlock()
		}
	}
	if s.left.Add(-1) == 0 {
		close(s.all)
	}
}

// expect clears the recorded lateness and returns a channel that is closed after n more callbacks.
func (s *sink) expect(n int) <-chan struct{} {
	s.mu.Lock()
	s.late = nil
	s.mu.Unlock()
	s.all = make(chan struct{})
	s.left.Store(int64(n))
	return s.all
}

// lateness returns the median, the 99th percentile and the maximum lateness in ms, and the number
// of early callbacks. At least one lateness must have been recorded.
func (s *sink) lateness() (p50, p99, most, early float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.late)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	for _, d := range s.late {
		if d < 0 {
			early++
		}
	}
	n := len(s.late)
	return ms(s.late[n/2]), ms(s.late[n*99/100]), ms(s.late[n-1]), early
}

func (s *sink) close() { _ = s.l.Close() }
