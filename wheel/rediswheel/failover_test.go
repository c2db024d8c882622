package rediswheel

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
)

// A master of a cluster is killed. Adding to its shard and delivering from it go on soon
// after its replica has taken over: the client asks where the slots are after each error.
// Without that it went on asking the dead node for more than 40 s.
func TestMasterOfClusterDies(t *testing.T) {
	t.Parallel()
	nodes, ctx, log := redistest.StartReplicatedCluster(t), context.Background(), &journal{}
	client := must(Connect(ctx, nodes[0].Addr, ""))(t)
	closeAfterwards(t, client)
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

// Sentinels replace a master that was killed. A worker and a producer with the address of
// the Sentinels go on with the new one.
func TestSentinels(t *testing.T) {
	t.Parallel()
	ctx, log := context.Background(), &journal{}
	master := redistest.Start(t)
	host, port, _ := net.SplitHostPort(master.Addr)
	replica := redistest.Start(t, "--replicaof", host+" "+port, "--repl-ping-replica-period", "1")
	eventually(t, "the replica is connected", func() bool {
		return strings.Contains(replica.Client().Info(ctx, "replication").Val(), "master_link_status:up")
	})
	sentinel := redistest.StartSentinel(t, master)
	eventually(t, "the Sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Client().Info(ctx, "sentinel").Val(), "slaves=1")
	})
	client := must(Connect(ctx, "redis+sentinel://"+sentinel.Addr+"/"+redistest.MasterName, ""))(t)
	closeAfterwards(t, client)
	w := open(t, client, 2)
	if want := "master main of Sentinels " + sentinel.Addr; w.Addr() != want {
		t.Errorf("address %q, want %q", w.Addr(), want)
	}
	startWorker(t, w, WorkerOptions{Handlers: succeed, Log: log.logger()})
	addHandled(t, w, "before", 5)
	eventually(t, "the first are done, and replicated", func() bool {
		st, err := w.Stats(ctx)
		return err == nil && st.Done == 5 && client.Do(ctx, "WAIT", 1, 1000).Val() == int64(1)
	})
	master.Kill()
	for i := range 5 {
		eventually(t, "a task can be added again", func() bool {
			return w.AddTask(ctx, fmt.Sprint("after", i), Task{Handler: "h"}, time.Now()) == nil
		})
	}
	eventually(t, "all are done", func() bool {
		st, err := w.Stats(ctx)
		return err == nil && st.Waiting+st.InFlight+st.Retrying == 0
	})
	eventually(t, "the failover is reported", func() bool { return w.Losses().Restarts == 1 })
}

// An address of Sentinels that can't be read is refused in one line, without its passwords.
func TestBadSentinelAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"redis+sentinel://:secret@a:1,b/main":                                 `"b" is not HOST:PORT`,
		"redis+sentinel://:secret@a:1":                                        "no name of a master",
		"redis+sentinel://:secret@a:1/main/x":                                 `DB "x"`,
		"redis+sentinel://:secret@a:1/main?x=secret":                          `parameter "x"`,
		"redis+sentinel://:secret%zz@a:1/main":                                "not a URL",
		"redis+sentinel:///main":                                              `"" is not HOST:PORT`,
		"redis+sentinel://:secret@a:1" + strings.Repeat(",a:1", sentinelsMax): "33 Sentinels, at most 32",
	} {
		_, err := Connect(context.Background(), address, "")
		expectLine(t, err, ErrInput, "address of Sentinels: "+want)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is shown: %v", err)
		}
	}
	o, ok, err := parseSentinels("rediss+sentinel://u:p%40@a:1,[::1]:2/main/3?sentinel_user=su&sentinel_password=sp")
	if !ok || err != nil || o.Username != "u" || o.Password != "p@" || len(o.SentinelAddrs) != 2 || o.SentinelAddrs[1] != "[::1]:2" ||
		o.MasterName != "main" || o.DB != 3 || o.SentinelUsername != "su" || o.SentinelPassword != "sp" || o.TLSConfig == nil {
		t.Errorf("%+v, %v, %v", o, ok, err)
	}
}

// Sentinels that do not answer are reported as a Redis that does not.
func TestNoSentinels(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := Connect(ctx, "redis+sentinel://127.0.0.1:1/main", "")
	expectLine(t, err, ErrAway, "no Redis at master main of Sentinels 127.0.0.1:1: ")
}

// closeAfterwards closes a client when the test ends, and waits until go-redis has given up
// to dial a dead node: it looks once a second whether the client is closed.
func closeAfterwards(t *testing.T, c goredis.UniversalClient) {
	t.Cleanup(func() {
		_ = c.Close()
		time.Sleep(1100 * time.Millisecond)
	})
}
