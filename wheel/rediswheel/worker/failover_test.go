package worker

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// A master of a cluster is killed. Adding to its shard and delivering from it continue soon after
// its replica has taken over, because the client asks for the location of the slots after each
// error. Otherwise it would use the dead node for more than 40 s.
func TestMasterOfClusterDies(t *testing.T) {
	t.Parallel()
	nodes, ctx, log := redistest.StartReplicatedCluster(t), context.Background(), &redistest.Journal{}
	client := redistest.Must(rediswheel.Connect(ctx, nodes[0].Addr, ""))(t)
	closeAfterwards(t, client)
	w := wheeltesting.Open(t, client, 3)
	var mu sync.Mutex
	called := map[string]bool{}
	startWorker(t, w, Options{Lease: LeaseMin, Log: log.Logger(), Handlers: map[string]Handler{
		"h": func(_ context.Context, c Call) error {
			mu.Lock()
			defer mu.Unlock()
			called[c.Key] = true
			return nil
		}}})
	wheeltesting.AddHandled(t, w, "before", 30)
	redistest.Eventually(t, "all before are called", func() bool { mu.Lock(); defer mu.Unlock(); return len(called) == 30 })
	nodes[1].Kill()
	for i := range 30 {
		key := fmt.Sprint("after", i)
		redistest.Eventually(t, "a task can be added again", func() bool {
			return w.AddTask(ctx, key, rediswheel.Task{Handler: "h"}, time.Now()) == nil
		})
	}
	redistest.Eventually(t, "all after are called", func() bool { mu.Lock(); defer mu.Unlock(); return len(called) == 60 })
	redistest.Eventually(t, "the other master is reported", func() bool { return w.Losses().Restarts == 1 })
}

// Sentinels replace a master that was killed. A worker and a producer with the address of the
// Sentinels continue with the new master.
func TestSentinels(t *testing.T) {
	t.Parallel()
	ctx, log := context.Background(), &redistest.Journal{}
	master := redistest.Start(t)
	host, port, _ := net.SplitHostPort(master.Addr)
	replica := redistest.Start(t, "--replicaof", host+" "+port, "--repl-ping-replica-period", "1")
	redistest.Eventually(t, "the replica is connected", func() bool {
		return strings.Contains(replica.Client().Info(ctx, "replication").Val(), "master_link_status:up")
	})
	sentinel := redistest.StartSentinel(t, master)
	redistest.Eventually(t, "the Sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Client().Info(ctx, "sentinel").Val(), "slaves=1")
	})
	client := redistest.Must(rediswheel.Connect(ctx, "redis://"+sentinel.Addr+"?master_name="+redistest.MasterName, ""))(t)
	closeAfterwards(t, client)
	w := wheeltesting.Open(t, client, 2)
	if want := "master main of Sentinels " + sentinel.Addr; w.Addr() != want {
		t.Errorf("address %q, want %q", w.Addr(), want)
	}
	startWorker(t, w, Options{Handlers: succeed, Log: log.Logger()})
	wheeltesting.AddHandled(t, w, "before", 5)
	redistest.Eventually(t, "the first are done, and replicated", func() bool {
		st, err := w.Stats(ctx)
		return err == nil && st.Done == 5 && client.Do(ctx, "WAIT", 1, 1000).Val() == int64(1)
	})
	master.Kill()
	for i := range 5 {
		redistest.Eventually(t, "a task can be added again", func() bool {
			return w.AddTask(ctx, fmt.Sprint("after", i), rediswheel.Task{Handler: "h"}, time.Now()) == nil
		})
	}
	redistest.Eventually(t, "all are done", func() bool {
		st, err := w.Stats(ctx)
		return err == nil && st.Waiting+st.InFlight+st.Retrying == 0
	})
	redistest.Eventually(t, "the failover is reported", func() bool { return w.Losses().Restarts == 1 })
}

// closeAfterwards closes a client when the test ends, and waits until go-redis has stopped dialling
// a dead node: go-redis checks once a second whether the client is closed.
func closeAfterwards(t *testing.T, c goredis.UniversalClient) {
	t.Cleanup(func() {
		_ = c.Close()
		time.Sleep(1100 * time.Millisecond)
	})
}
