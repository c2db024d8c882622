//go:build linux

package faults

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

const clusterMasters = 3 // of six nodes

// Redis replicates asynchronously. A write that a master accepts just before its replica is
// promoted is lost: a task added then is not called, and one delivered then is called again.
const (
	unreplicatedBefore = 300 * time.Millisecond // time until the promotion is noticed
	unreplicatedAfter  = 50 * time.Millisecond
	promotionEvery     = 5 * time.Millisecond // time between two checks for a promotion
)

// unreplicatedMax returns how many tasks can be written in the time that a write needs to reach a
// replica, plus the time for which the machine may not have run the replica.
func unreplicatedMax(slack time.Duration) int {
	return pick(5, 100) + int(slack.Seconds()*float64(rate()))
}

// promoted records the time of a promotion.
func (s *scene) promoted(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unreplicated = append(s.unreplicated, span{at.Add(-unreplicatedBefore), at.Add(unreplicatedAfter)})
}

// clusterMasterKilled kills one master of a cluster of six nodes; its replica replaces it.
func clusterMasterKilled(s *scene) {
	const lease = 4 * time.Second
	nodes := redistest.StartReplicatedCluster(s.t)
	s.addr = nodes[0].Addr
	s.wheel(6)
	s.crew(2, "--lease", lease.String())
	p := s.produce("task", pick(50, rateFull), length(10*time.Second), time.Second)
	time.Sleep(s.between(1500*time.Millisecond, 2500*time.Millisecond))
	victim := 1 + s.rand.IntN(clusterMasters-1) // the workers have the address of the first
	var killed, recovered time.Time
	s.fault(func() {
		killed = time.Now()
		nodes[victim].Kill()
		s.promoted(killed)
		for limit := killed.Add(startWait); !nodes[victim+clusterMasters].IsMaster() || !nodes[0].CoversAllSlots(); {
			if time.Now().After(limit) {
				s.t.Fatalf("the cluster did not fail over in %v", startWait)
			}
			time.Sleep(emptyEvery)
		}
		recovered = time.Now()
	})
	p.wait()
	failover := recovered.Sub(killed)
	s.say("failover %.1f s", failover.Seconds())
	if p.errors > 0 {
		s.say("last add failed %.1f s after it", p.last.Sub(recovered).Seconds())
		if p.last.After(recovered.Add(recovery)) {
			s.t.Errorf("an add failed %.1f s after the cluster had recovered: %s", p.last.Sub(recovered).Seconds(), p.lastText)
		}
	}
	s.finish(limits{affected: max(lease, failover) + recovery})
}

// spreadOverNodes creates wheels of several shards on a cluster and checks their nodes.
func spreadOverNodes(s *scene) {
	nodes := redistest.StartReplicatedCluster(s.t)[:clusterMasters]
	s.addr = nodes[0].Addr
	var counts []string
	firsts := map[int]bool{} // nodes that hold the first shard of a wheel
	for _, name := range []string{"wheel", "mail", "billing", "reports"} {
		ctx := context.Background()
		client, err := rediswheel.Connect(ctx, s.addr, "")
		if err != nil {
			s.t.Fatal(err)
		}
		defer client.Close()
		if _, err := rediswheel.Open(ctx, client, rediswheel.Options{Name: name, Shards: clusterMasters}); err != nil {
			s.t.Fatal(err)
		}
		var spread []string
		for i, node := range nodes {
			marks, err := node.Client().Keys(ctx, name+"{*}:layout:*").Result() // one for each shard of the node
			if err != nil {
				s.t.Fatal(err)
			}
			n := len(marks)
			for _, mark := range marks {
				firsts[i] = firsts[i] || strings.HasPrefix(mark, fmt.Sprintf("%s{%s.%d.0.", name, name, clusterMasters))
			}
			spread = append(spread, fmt.Sprint(n))
			if n != 1 {
				s.t.Errorf("wheel %q has %d of %d shards on node %d, 1 was expected", name, n, clusterMasters, i)
			}
		}
		counts = append(counts, strings.Join(spread, "/"))
	}
	s.say("shards of four wheels on three masters: %s", strings.Join(counts, " "))
	if len(firsts) < 2 {
		s.t.Error("the first shards of four wheels are all on one node")
	}
}

// demotedMaster makes a Sentinel demote the workers' master and promote its replica. Redis loses
// writes that a master accepts after the promotion, unless it is configured to require a replica
// for writes.
func demotedMaster(s *scene) {
	const lease = 3 * time.Second
	master := redistest.Start(s.t, "--min-replicas-to-write", "1")
	replica := redistest.StartReplica(s.t, master) // accepts all writes
	sentinel := redistest.StartSentinel(s.t, master)
	s.addr = sentinelURL(sentinel)
	s.wheel(0)
	s.crew(2, "--lease", lease.String())
	p := s.produce("task", pick(50, rateFull), length(6*time.Second), time.Second)
	time.Sleep(s.between(1500*time.Millisecond, 2500*time.Millisecond))
	s.fault(func() {
		go func() {
			for limit := time.Now().Add(startWait); !replica.IsMaster() && time.Now().Before(limit); {
				time.Sleep(promotionEvery)
			}
			s.promoted(time.Now())
		}()
		sentinel.FailOver()
		if !replica.IsMaster() {
			s.t.Fatal("the replica was not promoted")
		}
	})
	p.wait()
	s.finish(limits{affected: max(lease, s.longestFault()) + recovery})
}

// sentinelURL returns the URL of a wheel whose master a Sentinel watches.
func sentinelURL(sentinel *redistest.Server) string {
	return "redis://" + sentinel.Addr + "?master_name=" + redistest.MasterName
}
