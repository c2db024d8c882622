package worker

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// On a real cluster the keys of every script are on one node. Each script runs on every shard, the
// shards are spread over the nodes, and all tasks are delivered.
func TestCluster(t *testing.T) {
	nodes, ctx := redistest.StartCluster(t), context.Background()
	client := redistest.Must(rediswheel.Connect(ctx, nodes[1].Addr, ""))(t)
	defer client.Close()
	if c, ok := client.(*goredis.ClusterClient); !ok || !c.Options().ContextTimeoutEnabled {
		t.Fatalf("Connect made a %T, or one that does not heed a ctx", client)
	}
	const shards, tasks = 8, 300
	w := wheeltesting.Open(t, client, shards)
	var items []rediswheel.Item
	for i := range tasks {
		items = append(items, rediswheel.Item{Key: fmt.Sprint("k", i), Task: rediswheel.Task{Handler: []string{"good", "bad"}[i%2]}, ExecuteAt: time.Now()})
	}
	if err := w.AddTasks(ctx, items); err != nil {
		t.Fatal(err)
	}
	everyScript(t, w)
	if now := redistest.Must(w.Now(ctx))(t); now.Before(items[0].ExecuteAt) {
		t.Errorf("now is %v", now)
	}
	spread := 0
	for _, n := range nodes {
		if len(n.Client().Keys(ctx, "wheel{*}:tasks").Val()) > 0 {
			spread++
		}
	}
	if spread != len(nodes) {
		t.Errorf("the shards lie on %d of %d nodes", spread, len(nodes))
	}
	startWorker(t, w, Options{Attempts: 2, Lease: LeaseMin, Handlers: map[string]Handler{
		"good": func(context.Context, Call) error { return nil },
		"bad":  func(context.Context, Call) error { return context.DeadlineExceeded }}})
	redistest.Eventually(t, "half are gone, half dead", func() bool {
		st := redistest.Must(w.Stats(ctx))(t)
		return st.Done == tasks/2+shards && st.Dead == tasks/2
	})
}

// While the slot of a shard is moved, scripts change neither the shard nor the keys on the node
// that receives the slot. No task is lost or split, and the wheel continues after the move.
func TestMovingSlot(t *testing.T) {
	nodes, ctx := redistest.StartCluster(t), context.Background()
	client := redistest.Must(rediswheel.Connect(ctx, nodes[0].Addr, ""))(t)
	t.Cleanup(func() { _ = client.Close() }) // after the worker's stop
	w, log := wheeltesting.Open(t, client, 1), &redistest.Journal{}
	add := func(key string) error {
		return w.AddTask(ctx, key, rediswheel.Task{Handler: "h"}, time.Now().Add(time.Second))
	}
	if err := add("before"); err != nil {
		t.Fatal(err)
	}
	m := newMove(t, nodes, engine.Of(w).Shards()[0].Prefix)
	m.begin()
	startWorker(t, w, Options{Handlers: map[string]Handler{"h": func(context.Context, Call) error { return nil }}, Log: log.Logger()})
	redistest.ExpectLine(t, add("during"), rediswheel.ErrRefused, "its cluster is moving this part of the wheel to another node")
	redistest.Eventually(t, "the worker logs the move", func() bool { return strings.Contains(log.String(), "moving this part of the wheel") })
	if n := redistest.Must(m.to.ClusterCountKeysInSlot(ctx, int(m.slot)).Result())(t); n != 0 {
		t.Errorf("%d keys on the node that the slot moves to", n)
	}
	m.end()
	if err := add("after"); err != nil {
		t.Error(err)
	}
	redistest.Eventually(t, "what was added is done", func() bool { return redistest.Must(w.Stats(ctx))(t).Done == 2 })
}

// move moves the slot of a key to another node.
type move struct {
	t            *testing.T
	slot         int64
	from, to     *goredis.Client
	fromID, toID string
	toAddr       string
}

func newMove(t *testing.T, nodes []*redistest.Server, key string) *move {
	ctx := context.Background()
	m := &move{t: t, slot: redistest.Must(nodes[0].Client().ClusterKeySlot(ctx, key).Result())(t)}
	for _, n := range nodes {
		c := n.Client()
		if c.Exists(ctx, key).Err() == nil {
			m.from = c
		} else {
			m.to, m.toAddr = c, n.Addr
		}
	}
	m.fromID, m.toID = redistest.Must(m.from.Do(ctx, "CLUSTER", "MYID").Text())(t), redistest.Must(m.to.Do(ctx, "CLUSTER", "MYID").Text())(t)
	return m
}

// set sets the state of the slot on a node.
func (m *move) set(c *goredis.Client, what, id string) {
	m.t.Helper()
	if err := c.Do(context.Background(), "CLUSTER", "SETSLOT", m.slot, what, id).Err(); err != nil {
		m.t.Fatal(err)
	}
}

func (m *move) begin() {
	m.set(m.to, "IMPORTING", m.fromID)
	m.set(m.from, "MIGRATING", m.toID)
}

// end moves the keys, and then the slot.
func (m *move) end() {
	m.t.Helper()
	ctx := context.Background()
	host, port, _ := net.SplitHostPort(m.toAddr)
	for _, key := range redistest.Must(m.from.ClusterGetKeysInSlot(ctx, int(m.slot), 100).Result())(m.t) {
		if err := m.from.Migrate(ctx, host, port, key, 0, time.Second).Err(); err != nil {
			m.t.Fatal(err)
		}
	}
	m.set(m.to, "NODE", m.toID)
	m.set(m.from, "NODE", m.toID)
}

// everyScript runs every script on every shard, and leaves a separate task claimed on each.
func everyScript(t *testing.T, w *rediswheel.Wheel) {
	t.Helper()
	ctx := context.Background()
	for i, s := range engine.Of(w).Shards() {
		key := fmt.Sprint("probe", i)
		task := rediswheel.Task{Handler: "good"}
		added := redistest.Must(s.AddNew(ctx, engine.Entry{Key: key, Due: 1, Record: task.Record(1)}))(t)
		replaced := redistest.Must(s.Add(ctx, []engine.Entry{{Key: key, Due: 2, Record: task.Record(2)}}))(t)
		claim := redistest.Must(s.Claim(ctx, 1, time.Minute))(t)
		claimID := claim.Tasks[0].ClaimID
		extended := redistest.Must(s.Extend(ctx, []engine.ClaimID{claimID}, time.Minute))(t)
		back := redistest.Must(s.Later(ctx, engine.Deferred, []engine.Failed{{ClaimID: claimID, Reason: reasonOpen}}))(t)
		claimID = redistest.Must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].ClaimID
		marked := redistest.Must(s.MarkDead(ctx, 0, []engine.Failed{{ClaimID: claimID}}))(t)
		dead := redistest.Must(wheeltesting.List(ctx, s, rediswheel.Dead, engine.Position{}, 10))(t)
		_, found, err := s.Get(ctx, key)
		removed := redistest.Must(s.Remove(ctx, []string{key}))(t)
		redistest.Must(s.Add(ctx, []engine.Entry{{Key: key, Due: 2, Record: task.Record(2)}}))(t)
		acked := redistest.Must(s.Ack(ctx, []engine.ClaimID{claimID}, nil))(t)
		if !added || !replaced[0] || claimID.Key != key || !extended[0] || !back[0] || !marked.Marked[0] || len(dead) != 1 || !found || err != nil || !removed[0] || acked[0] {
			t.Errorf("shard %d: %v %v %v %v %v %v %v %v %v", i, added, replaced, claimID, extended, back, marked, dead, removed, acked)
		}
	}
}
