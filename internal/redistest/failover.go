package redistest

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// askWait is the timeout of ask for connecting and for reading the reply.
const askWait = time.Second

// StartReplica starts a replica of master and waits until it is connected.
func StartReplica(t testing.TB, master *Server) *Server {
	t.Helper()
	host, port, _ := net.SplitHostPort(master.Addr)
	master.ask("CONFIG", "SET", "repl-diskless-sync-delay", "0")
	s := Start(t, "--replicaof", host+" "+port)
	s.eventually("be a connected replica", s.isReplica)
	return s
}

// isReplica reports whether the server is a replica that is connected to its master.
func (s *Server) isReplica() bool {
	return strings.Contains(s.ask("INFO", "replication"), "master_link_status:up")
}

// FailOver makes s, which must be a Sentinel, promote a replica and demote the master. It waits until the
// Sentinel reports another master.
func (s *Server) FailOver() {
	s.t.Helper()
	before := s.masterAddr()
	s.eventually("accept a failover", func() bool { return s.ask("SENTINEL", "FAILOVER", MasterName) == "OK" })
	s.eventually("name another master", func() bool { return s.masterAddr() != before })
}

// masterAddr returns the address of the master as reported by s, which must be a Sentinel.
func (s *Server) masterAddr() string {
	_, rest, _ := strings.Cut(s.ask("INFO", "sentinel"), "address=")
	addr, _, _ := strings.Cut(rest, ",")
	return addr
}

// IsMaster reports whether the server is a master.
func (s *Server) IsMaster() bool {
	return strings.Contains(s.ask("INFO", "replication"), "role:master")
}

// CoversAllSlots reports whether s, which must be a node of a cluster, knows a live master for each hash
// slot.
func (s *Server) CoversAllSlots() bool {
	return strings.Contains(s.ask("CLUSTER", "INFO"), "cluster_state:ok")
}

// ask executes a command on a new connection and returns the reply, or "" if there is none within
// askWait.
func (s *Server) ask(command ...any) string {
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr, DialTimeout: askWait, ReadTimeout: askWait, MaxRetries: -1, DisableIdentity: true})
	defer c.Close()
	text, _ := c.Do(context.Background(), command...).Text()
	return text
}

// eventually calls cond repeatedly until it returns true. If that takes longer than startWait, eventually
// fails the test with a message that ends in "it does not", followed by what, such as "be a connected
// replica".
func (s *Server) eventually(what string, cond func() bool) {
	s.t.Helper()
	for until := time.Now().Add(startWait); !cond(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			s.t.Fatalf("redis-server %s: %v later it does not %s", s.Addr, startWait, what)
		}
	}
}
