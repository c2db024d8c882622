package redistest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
)

// clusterMasters is the number of masters of a test's cluster, the fewest with which a cluster
// survives the loss of one; slots is the number of hash slots of every cluster.
const (
	clusterMasters = 3
	slots          = 16384
)

// StartCluster starts a cluster of three nodes without replicas, which share the hash slots. It waits until
// all nodes report that the cluster is complete.
func StartCluster(t testing.TB) []*Server {
	t.Helper()
	return startNodes(t, clusterMasters, "--cluster-node-timeout", "5000")
}

// failoverTimeout is the node timeout of a cluster with replicas, in ms. It takes about this long
// until a killed master is replaced.
const failoverTimeout = 1000

// StartReplicatedCluster starts a cluster of three masters, which share the hash slots, each with one
// replica. The first three nodes returned are the masters; the replica of node i is node i+3. It waits until
// all replicas are connected.
func StartReplicatedCluster(t testing.TB) []*Server {
	t.Helper()
	nodes := startNodes(t, 2*clusterMasters, "--cluster-node-timeout", strconv.Itoa(failoverTimeout),
		"--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
	for i, s := range nodes[clusterMasters:] {
		s.mustDo("CLUSTER", "REPLICATE", nodes[i].ask("CLUSTER", "MYID"))
	}
	for _, s := range nodes[clusterMasters:] {
		s.eventually("be a connected replica", s.isReplica)
	}
	return nodes
}

// startNodes starts count nodes of a cluster with the given arguments. The first clusterMasters nodes share
// the hash slots. It waits until each node knows the others and all slots.
func startNodes(t testing.TB, count int, args ...string) []*Server {
	t.Helper()
	var nodes []*Server
	for i := range count {
		s := Start(t, append([]string{"--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"}, args...)...)
		if i < clusterMasters {
			s.mustDo("CLUSTER", "ADDSLOTSRANGE", i*slots/clusterMasters, (i+1)*slots/clusterMasters-1)
		}
		if i > 0 {
			host, port, _ := net.SplitHostPort(s.Addr)
			nodes[0].mustDo("CLUSTER", "MEET", host, port, s.bus)
		}
		nodes = append(nodes, s)
	}
	for _, s := range nodes {
		s.eventually("know the whole cluster", func() bool {
			return s.CoversAllSlots() && strings.Contains(s.ask("CLUSTER", "INFO"), "cluster_known_nodes:"+strconv.Itoa(count))
		})
	}
	return nodes
}

// mustDo runs a command that must succeed.
func (s *Server) mustDo(command ...any) {
	s.t.Helper()
	if err := s.Client().Do(context.Background(), command...).Err(); err != nil {
		s.t.Fatalf("redis-server %s: %v: %v", s.Addr, command, err)
	}
}
