package redis

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
)

// A master of a cluster is killed. Adding to its shard and delivering from it go on soon
// after its replica has taken over: the client asks where the slots are after each error.
// Without that it went on asking the dead node for more than 40 s.
func TestMasterOfClusterDies(t *testing.T) {
	t.Parallel()
	nodes, ctx, log := redistest.StartReplicatedCluster(t), context.Background(), &journal{}
	client := must(Connect(ctx, nodes[0].Addr, ""))(t)
	t.Cleanup(func() { _ = client.Close() })
	w := open(t, client, 3)
	var mu sync.Mutex
	called := map[string]bool{}
	startWorker(t, w, WorkerOptions{Lease: LeaseMin, Log: log.logger(), Handlers: map[string]Handler{
		"h": func(_ context.Context, c Call) error {
			mu.Lock()
			defer mu.Unlock()
			called[c.Key] = true
			return nil
		}}})
	addHandled(t, w, "before", 30)
	eventually(t, "all before are called", func() bool { mu.Lock(); defer mu.Unlock(); return len(called) == 30 })
	nodes[1].Kill()
	for i := range 30 {
		key := fmt.Sprint("after", i)
		eventually(t, "a task can be added again", func() bool {
			return w.AddTask(ctx, key, Task{Handler: "h"}, time.Now()) == nil
		})
	}
	eventually(t, "all after are called", func() bool { mu.Lock(); defer mu.Unlock(); return len(called) == 60 })
	eventually(t, "the other master is reported", func() bool { return w.Losses().Restarts == 1 })
}
