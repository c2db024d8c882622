// Package redistest starts real Redis servers for tests, on loopback ports and in directories of
// their own. They are stopped at the end of the test. It also provides embedded servers, and helpers for
// tests of programs that use Redis.
//
// If redis-server is missing, the test fails with a message about what to install, because a
// skipped test must not look like one that passed. scripts/needs installs it.
package redistest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// startWait is the maximum time that a server may take to respond. startTries is the maximum number of
// ports to try: another process may take a port before the server does.
const (
	startWait  = 20 * time.Second
	startTries = 5
)

// Server is a redis-server process.
type Server struct {
	Addr string // address, HOST:PORT
	bus  int    // port of the cluster bus; 0 means that the server is not in a cluster
	t    testing.TB
	args []string // additional command-line arguments
	cmd  *exec.Cmd
	gone chan struct{} // closed when the process has ended
}

// Start starts a server without persistence. args are additional command-line arguments, such as
// "--requirepass", "secret". The server is stopped at the end of the test.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	return start(t, append([]string{"--save", "", "--appendonly", "no"}, args...))
}

// StartKept is like Start, but the server keeps its data when it is killed and restarted: it writes an
// append-only file before every reply. It leaves syncing to the system, which outlives it.
func StartKept(t testing.TB, args ...string) *Server {
	t.Helper()
	return start(t, append([]string{"--save", "", "--appendonly", "yes", "--appendfsync", "no"}, args...))
}

func start(t testing.TB, args []string) *Server {
	t.Helper()
	dir := serverDir(t)
	for range startTries {
		s := &Server{t: t}
		port := freePort(t)
		s.Addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		s.args = append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir, "--daemonize", "no",
			"--logfile", filepath.Join(dir, "log")}, args...)
		if slices.Contains(args, "--cluster-enabled") {
			s.bus = freePort(t)
			s.args = append(s.args, "--cluster-port", strconv.Itoa(s.bus))
		}
		if s.launch() == nil {
			t.Cleanup(s.Kill)
			return s
		}
		s.Kill()
	}
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	t.Fatalf("redis-server %v does not start: %.2000s", args, log)
	return nil
}

// serverDir returns a new temporary directory for a server, which is removed at the end of the test. It
// does not use t.TempDir, which fails the test if the directory cannot be removed: a server that is being
// killed may still write to it. If redis-server is not installed, serverDir fails the test.
func serverDir(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Fatal("this test needs redis-server 7 or newer: scripts/needs installs it (Debian: apt-get install redis-server)")
	}
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// launch starts the redis-server process and waits until it responds; see await.
func (s *Server) launch() error {
	s.cmd = exec.Command("redis-server", s.args...)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	s.gone = gone
	go func(cmd *exec.Cmd) { _ = cmd.Wait(); close(gone) }(s.cmd)
	return s.await()
}

// await waits until the server responds to PING. It accepts a reply that demands a password, but not
// LOADING, the reply of a server that is still reading its data. It returns an error if the process ends,
// or if there is no such reply within startWait.
func (s *Server) await() error {
	until := time.Now().Add(startWait)
	for time.Now().Before(until) {
		select {
		case <-s.gone:
			return fmt.Errorf("redis-server has ended")
		default:
		}
		if s.answers() {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("redis-server has not answered in %v", startWait)
}

func (s *Server) answers() bool {
	conn, err := net.DialTimeout("tcp", s.Addr, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	reply := make([]byte, 8)
	n, _ := conn.Read(reply)
	return n > 0 && (reply[0] == '+' || string(reply[:min(n, 7)]) == "-NOAUTH")
}

// Kill ends the process with SIGKILL, as if the machine had failed, and waits until it has ended. It has no
// effect if the process has already ended.
func (s *Server) Kill() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	<-s.gone
}

// Restart starts the server again with the same port and directory.
func (s *Server) Restart() {
	s.t.Helper()
	if err := s.launch(); err != nil {
		s.t.Fatalf("redis-server %s does not start again: %v", s.Addr, err)
	}
}

// Client returns a client of the server, which is closed at the end of the test.
func (s *Server) Client() *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr})
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// Range of the ports on which servers are started. They are below the ports that systems choose for
// outgoing connections, from 32768 on Linux, because a client's connection may take such a port before the
// server binds it.
const (
	lowestPort  = 10000
	highestPort = 32000
	portTries   = 100
)

// freePort returns a randomly chosen port that is currently free.
func freePort(t testing.TB) int {
	t.Helper()
	var err error
	for range portTries {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1)
		var l net.Listener
		if l, err = new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatalf("no free port from %d to %d in %d tries: %v", lowestPort, highestPort, portTries, err)
	return 0
}
