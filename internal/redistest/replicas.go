package redistest

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// failoverTimeout is the node timeout of a cluster with replicas, in ms: about the time until a
// killed master is replaced.
const failoverTimeout = 1000

// StartReplicatedCluster starts a cluster of three masters, which share the hash slots, each with
// a replica. The first three nodes returned are the masters; the replica of node i is node i+3.
// It waits until all replicas are connected.
func StartReplicatedCluster(t testing.TB) []*Server {
	t.Helper()
	ctx := context.Background()
	var nodes []*Server
	for i := range 2 * clusterNodes {
		bus := freePort(t)
		s := Start(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", strconv.Itoa(bus),
			"--cluster-node-timeout", strconv.Itoa(failoverTimeout), "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
		if i < clusterNodes {
			first, last := i*slots/clusterNodes, (i+1)*slots/clusterNodes-1
			if err := s.Client().Do(ctx, "CLUSTER", "ADDSLOTSRANGE", first, last).Err(); err != nil {
				t.Fatalf("cluster: %v", err)
			}
		}
		if i > 0 {
			host, port, _ := net.SplitHostPort(s.Addr)
			if err := nodes[0].Client().Do(ctx, "CLUSTER", "MEET", host, port, bus).Err(); err != nil {
				t.Fatalf("cluster: %v", err)
			}
		}
		nodes = append(nodes, s)
	}
	for i, s := range nodes[clusterNodes:] {
		replicate(t, nodes[i], s)
	}
	for _, s := range nodes {
		await(t, s, "CLUSTER INFO", func(text string) bool {
			return strings.Contains(text, "cluster_state:ok") && strings.Contains(text, fmt.Sprint("cluster_known_nodes:", len(nodes)))
		})
	}
	for _, s := range nodes[clusterNodes:] {
		await(t, s, "INFO replication", func(text string) bool { return strings.Contains(text, "master_link_status:up") })
	}
	return nodes
}

// replicate makes a node the replica of a master, once the node knows it.
func replicate(t testing.TB, master, replica *Server) {
	t.Helper()
	ctx, id := context.Background(), ""
	await(t, replica, "CLUSTER NODES", func(text string) bool {
		id = master.Client().Do(ctx, "CLUSTER", "MYID").Val().(string)
		return strings.Contains(text, id)
	})
	if err := replica.Client().Do(ctx, "CLUSTER", "REPLICATE", id).Err(); err != nil {
		t.Fatalf("cluster: %v", err)
	}
}

// await runs a command on a server until the reply is as expected.
func await(t testing.TB, s *Server, command string, expected func(string) bool) {
	t.Helper()
	c, args := s.Client(), []any{}
	for _, word := range strings.Fields(command) {
		args = append(args, word)
	}
	until := time.Now().Add(startWait)
	for {
		text, _ := c.Do(context.Background(), args...).Text()
		if expected(text) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s: %s has answered for %v: %s", s.Addr, command, startWait, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
