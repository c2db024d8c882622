package redistest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// clusterNodes is the number of nodes of a test's cluster, the fewest with which a cluster
// survives the loss of one; slots is the number of hash slots of every cluster.
const (
	clusterNodes = 3
	slots        = 16384
)

// StartCluster starts a cluster of three nodes without replicas, which share the hash slots, and
// waits until all nodes report that it is complete.
func StartCluster(t testing.TB) []*Server {
	t.Helper()
	var nodes []*Server
	for i := range clusterNodes {
		bus := freePort(t)
		s := Start(t, "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", strconv.Itoa(bus),
			"--cluster-node-timeout", "5000")
		first, last := i*slots/clusterNodes, (i+1)*slots/clusterNodes-1
		if err := s.Client().Do(context.Background(), "CLUSTER", "ADDSLOTSRANGE", first, last).Err(); err != nil {
			t.Fatalf("cluster: %v", err)
		}
		if i > 0 {
			host, port, _ := net.SplitHostPort(s.Addr)
			if err := nodes[0].Client().Do(context.Background(), "CLUSTER", "MEET", host, port, bus).Err(); err != nil {
				t.Fatalf("cluster: %v", err)
			}
		}
		nodes = append(nodes, s)
	}
	for _, s := range nodes {
		awaitCluster(t, s.Client())
	}
	return nodes
}

// awaitCluster waits until a node knows the other nodes and all slots.
func awaitCluster(t testing.TB, c *goredis.Client) {
	t.Helper()
	until := time.Now().Add(startWait)
	for {
		info := c.ClusterInfo(context.Background()).Val()
		if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:"+strconv.Itoa(clusterNodes)) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the cluster is not whole: %s", info)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
