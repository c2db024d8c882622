package redistest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
)

// clusterMasters is the number of masters in a cluster, the smallest with which a cluster survives the loss
// of one. slots is the number of hash slots in every Redis Cluster.
const (
	clusterMasters = 3
	slots          = 16384
)

// StartCluster starts a cluster of three masters without replicas and waits until each of them knows the
// others and all hash slots. The masters share the hash slots evenly.
func StartCluster(t testing.TB) []*Server {
	t.Helper()
	return startNodes(t, clusterMasters, "--cluster-node-timeout", "5000")
}

// failoverTimeout is the node timeout, in milliseconds, of a cluster with replicas. A replica takes about
// that long to replace a killed master.
const failoverTimeout = 1000

// StartReplicatedCluster starts a cluster of three masters with one replica each and waits until all replicas
// are connected. The masters share the hash slots evenly. They are the first three elements of the result;
// element i+3 is the replica of element i.
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

// startNodes starts count nodes of a cluster with the given arguments and waits until each node knows the
// others and all hash slots. The first clusterMasters nodes share the slots.
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

// mustDo runs a command and fails the test if it returns an error.
func (s *Server) mustDo(command ...any) {
	s.t.Helper()
	if err := s.Client().Do(context.Background(), command...).Err(); err != nil {
		s.t.Fatalf("redis-server %s: %v: %v", s.Addr, command, err)
	}
}
