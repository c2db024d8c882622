package redistest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// failoverAfter is the time without an answer after which the nodes of a cluster with
// replicas, and a sentinel, regard a server as failed.
const failoverAfter = 1500 * time.Millisecond

// askWait bounds the wait for the answer to one command.
const askWait = time.Second

// SentinelMaster is the name under which a sentinel of [StartSentinel] knows its master.
const SentinelMaster = "main"

// StartReplicatedCluster starts a cluster of six nodes: three masters that share the hash
// slots, each with one replica. It returns once every node knows the others and every
// replica is connected. Node i+3 is the replica of node i.
func StartReplicatedCluster(t testing.TB) []*Server {
	t.Helper()
	ctx, buses := context.Background(), []int{}
	var nodes []*Server
	for range 2 * clusterNodes {
		bus := freePort(t)
		nodes = append(nodes, Start(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", strconv.Itoa(bus),
			"--cluster-node-timeout", strconv.FormatInt(failoverAfter.Milliseconds(), 10), "--repl-diskless-sync-delay", "0"))
		buses = append(buses, bus)
	}
	for i, s := range nodes[:clusterNodes] {
		first, last := i*slots/clusterNodes, (i+1)*slots/clusterNodes-1
		if err := s.Client().Do(ctx, "CLUSTER", "ADDSLOTSRANGE", first, last).Err(); err != nil {
			t.Fatalf("cluster: %v", err)
		}
		if err := s.Client().Do(ctx, "CLUSTER", "SET-CONFIG-EPOCH", i+1).Err(); err != nil {
			t.Fatalf("cluster: %v", err)
		}
	}
	for i, s := range nodes[1:] {
		host, port, _ := net.SplitHostPort(s.Addr)
		if err := nodes[0].Client().Do(ctx, "CLUSTER", "MEET", host, port, buses[i+1]).Err(); err != nil {
			t.Fatalf("cluster: %v", err)
		}
	}
	for _, s := range nodes {
		eventually(t, s, "know all nodes", s.knows(len(nodes)))
	}
	for i, s := range nodes[clusterNodes:] {
		if err := s.Client().Do(ctx, "CLUSTER", "REPLICATE", nodes[i].ask("CLUSTER", "MYID")).Err(); err != nil {
			t.Fatalf("cluster: %v", err)
		}
	}
	for i, s := range nodes {
		if i >= clusterNodes {
			eventually(t, s, "be a connected replica", s.replicates)
		}
		eventually(t, s, "see the whole cluster", s.CoversAllSlots)
	}
	return nodes
}

// StartReplica starts a server that is a replica of another, and waits until it is
// connected.
func StartReplica(t testing.TB, master *Server) *Server {
	t.Helper()
	host, port, _ := net.SplitHostPort(master.Addr)
	master.ask("CONFIG", "SET", "repl-diskless-sync-delay", "0")
	s := Start(t, "--replicaof", host+" "+port)
	eventually(t, s, "be a connected replica", s.replicates)
	return s
}

// StartSentinel starts a sentinel that watches a master under the name [SentinelMaster]
// and needs no other sentinel's consent. It returns once it knows so many replicas.
func StartSentinel(t testing.TB, master *Server, replicas int) *Server {
	t.Helper()
	host, port, _ := net.SplitHostPort(master.Addr)
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("sentinel monitor %[1]s %[2]s %[3]s 1\nsentinel down-after-milliseconds %[1]s %[4]d\nsentinel failover-timeout %[1]s %[5]d\n",
		SentinelMaster, host, port, failoverAfter.Milliseconds(), 2*failoverAfter.Milliseconds())
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startConfigured(t, file)
	known := fmt.Sprintf("slaves=%d,", replicas)
	eventually(t, s, "know the replicas", func() bool { return strings.Contains(s.ask("INFO", "sentinel"), known) })
	return s
}

// FailOver has a sentinel promote a replica and demote the master, and waits until the
// sentinel names another master.
func (s *Server) FailOver() {
	s.t.Helper()
	before := s.masterAddr()
	eventually(s.t, s, "accept a failover", func() bool { return s.ask("SENTINEL", "FAILOVER", SentinelMaster) == "OK" })
	eventually(s.t, s, "name another master", func() bool { return s.masterAddr() != before })
}

// masterAddr returns the address of the master that a sentinel names.
func (s *Server) masterAddr() string {
	_, rest, _ := strings.Cut(s.ask("INFO", "sentinel"), "address=")
	addr, _, _ := strings.Cut(rest, ",")
	return addr
}

// startConfigured starts a sentinel with a configuration file, which it rewrites.
func startConfigured(t testing.TB, file string) *Server {
	t.Helper()
	port := freePort(t)
	s := &Server{t: t, Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
	s.args = []string{file, "--sentinel", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--daemonize", "no", "--logfile", ""}
	t.Cleanup(s.Kill)
	if err := s.launch(); err != nil {
		t.Fatalf("sentinel: %v", err)
	}
	return s
}

func (s *Server) knows(nodes int) func() bool {
	return func() bool {
		return strings.Contains(s.ask("CLUSTER", "INFO"), "cluster_known_nodes:"+strconv.Itoa(nodes))
	}
}

// replicates reports whether the server is a replica whose master's data has arrived.
func (s *Server) replicates() bool {
	info := s.ask("INFO", "replication")
	return strings.Contains(info, "role:slave") && strings.Contains(info, "master_link_status:up")
}

// IsMaster reports whether the server is a master.
func (s *Server) IsMaster() bool {
	return strings.Contains(s.ask("INFO", "replication"), "role:master")
}

// CoversAllSlots reports whether a node of a cluster knows a living master for each slot.
func (s *Server) CoversAllSlots() bool {
	return strings.Contains(s.ask("CLUSTER", "INFO"), "cluster_state:ok")
}

// ask runs a command on a connection of its own, within a second. It returns an empty
// string if there is no answer.
func (s *Server) ask(command ...any) string {
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr, DialTimeout: askWait, ReadTimeout: askWait, MaxRetries: -1, DisableIdentity: true})
	defer c.Close()
	text, _ := c.Do(context.Background(), command...).Text()
	return text
}

// eventually waits until a server has come to a state.
func eventually(t testing.TB, s *Server, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(startWait); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("redis-server %s: %v later it does not %s", s.Addr, startWait, what)
		}
	}
}
