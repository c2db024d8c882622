package redistest

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A killed server restarts on its port with all acknowledged writes.
func TestKeptServerComesBack(t *testing.T) {
	s, ctx := StartKept(t), context.Background()
	c := s.Client()
	if err := c.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if err := c.Get(ctx, "k").Err(); err == nil {
		t.Error("a killed server answers")
	}
	s.Restart()
	if v, err := c.Get(ctx, "k").Result(); v != "v" || err != nil {
		t.Errorf("after the restart: %q, %v", v, err)
	}
}

// The proxy forwards, delays, and cuts.
func TestProxy(t *testing.T) {
	s, ctx := Start(t), context.Background()
	p := StartProxy(t, s.Addr)
	through := &Server{t: t, Addr: p.Addr}
	c := through.Client()
	if err := c.Ping(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	p.Delay(50 * time.Millisecond)
	began := time.Now()
	if err := c.Ping(ctx).Err(); err != nil || time.Since(began) < 100*time.Millisecond {
		t.Errorf("with 50 ms each way: %v after %v", err, time.Since(began))
	}
	p.Delay(0)
	if n := p.Cut(); n < 1 {
		t.Errorf("%d connections were cut", n)
	}
	if err := c.Ping(ctx).Err(); err != nil {
		t.Errorf("after a cut: %v", err)
	}
}

// A cluster's nodes redirect a key to its node.
func TestCluster(t *testing.T) {
	nodes, ctx := StartCluster(t), context.Background()
	moved := 0
	for _, n := range nodes {
		if err := n.Client().Set(ctx, "key", 1, 0).Err(); err != nil && strings.HasPrefix(err.Error(), "MOVED ") {
			moved++
		}
	}
	if moved != clusterMasters-1 {
		t.Errorf("%d of %d nodes sent the key elsewhere", moved, clusterMasters)
	}
}

// A replica replaces a killed master, in a cluster and with a Sentinel.
func TestFailover(t *testing.T) {
	nodes := StartReplicatedCluster(t)
	nodes[0].Kill()
	nodes[3].eventually("become a master", nodes[3].IsMaster)
	nodes[1].eventually("see the whole cluster", nodes[1].CoversAllSlots)

	master := Start(t)
	replica := StartReplica(t, master)
	sentinel := StartSentinel(t, master)
	sentinel.FailOver()
	if !replica.IsMaster() {
		t.Error("the replica is no master")
	}
}
