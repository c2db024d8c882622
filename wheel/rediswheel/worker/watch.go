package worker

import (
	"context"
	"maps"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Intervals of a watcher.
const (
	watchEvery = time.Second                        // interval at which the description of the wheel is read
	runIDEvery = int(engine.BeatEvery / watchEvery) // the run IDs of the nodes are read with every runIDEvery-th description of the wheel
)

// PauseDelay is the maximum time until a worker that can reach Redis notices that the wheel was paused.
const PauseDelay = 2 * watchEvery

// watcher detects changes that an idle worker would otherwise detect late or not at all: another layout, a pause, a
// restarted node.
type watcher struct {
	worker *Worker
	wheel  *engine.Wheel
	runIDs map[string]string // run IDs of the nodes by address; nil before the first read
}

// serve delivers tasks until ctx is done, and waits for the calls that run then. When the layout of the wheel changes, it
// switches to the new one at once, also while calls run. When sendCtx is done, no more results are sent.
func (w *Worker) serve(ctx, sendCtx context.Context) {
	var running sync.WaitGroup
	defer w.pool.close()
	defer running.Wait()
	wheel := w.wheel.Latest()
	wheel.LogTo(w.o.Log)
	runIDs := map[string]string(nil)
	for ctx.Err() == nil {
		unchanged, change := context.WithCancel(ctx)
		if wheel != w.on {
			w.useLayout(wheel)
		}
		w.change = change
		for _, h := range *w.keepers.Load() {
			h.ctx = unchanged
		}
		watch := &watcher{worker: w, wheel: wheel, runIDs: runIDs}
		var watching sync.WaitGroup
		watching.Go(func() { watch.run(unchanged) })
		watching.Go(func() { w.notify.run(unchanged) })
		w.deliver(unchanged, sendCtx, &running)
		change()
		watching.Wait()
		wheel, runIDs = wheel.Latest(), watch.runIDs
	}
}

// useLayout makes the worker use the given layout of the wheel from the next call to deliver on.
func (w *Worker) useLayout(wheel *engine.Wheel) {
	w.on, w.notify = wheel, newNotifier(wheel, w.o.Poll)
	var keepers []*leaseKeeper
	for _, s := range wheel.Shards() {
		keepers = append(keepers, newLeaseKeeper(w, s))
	}
	w.keepers.Store(&keepers)
}

// run looks for changes every watchEvery until ctx is done.
func (a *watcher) run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		if a.look(ctx, n%runIDEvery == 0) != nil {
			n = -1 // after an outage, a restart is likely
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// look reads the description of the wheel from Redis and, if runIDs is true, the run IDs of the
// nodes, which change with a restart. It pauses or resumes the worker, and renews the layout if it
// has changed. It does not log errors, because claims fail with the same errors and log them.
func (a *watcher) look(ctx context.Context, runIDs bool) error {
	ctx, cancel := context.WithTimeout(ctx, scriptWait)
	defer cancel()
	seen := a.wheel.Renewals()
	paused, changed, err := a.wheel.Status(ctx)
	if err != nil {
		return err
	}
	a.worker.pause(paused)
	if changed {
		if err := a.worker.renew(ctx, a.wheel, seen); err != nil {
			return err
		}
	}
	if !runIDs {
		return nil
	}
	return a.compareRunIDs(ctx)
}

// renew rereads the layout of the wheel. The argument seen is an earlier result of wheel.Renewals; if another goroutine
// has reread the layout since that call to Renewals, renew does not reread it. If the layout has changed, renew makes
// the worker stop using the current one.
func (w *Worker) renew(ctx context.Context, wheel *engine.Wheel, seen int64) error {
	next, err := wheel.Renew(ctx, seen)
	if err == nil && next != wheel {
		w.change()
	}
	return err
}

// layoutError handles err, the error of a claim. If Redis has refused the claim because the layout is outdated,
// layoutError rereads the layout; otherwise it returns err. seen is the result of Renewals before the claim.
func (h *leaseKeeper) layoutError(ctx context.Context, seen int64, err error) error {
	if !engine.Outdated(err) {
		return err
	}
	return h.w.renew(ctx, h.wheel, seen)
}

// pause records whether the wheel is paused, and logs when that changes.
func (w *Worker) pause(paused bool) {
	if w.paused.Swap(paused) == paused {
		return
	}
	if paused {
		w.o.Log.Info("the wheel is paused: nothing is claimed")
	} else {
		w.o.Log.Info("the wheel is no longer paused")
	}
}

// compareRunIDs reads the run IDs of the nodes and reports nodes that were restarted or replaced since the last call.
func (a *watcher) compareRunIDs(ctx context.Context) error {
	now, err := runIDsOf(ctx, a.wheel.Client())
	if err != nil {
		return err
	}
	for addr, id := range now {
		old, known := a.runIDs[addr]
		if a.runIDs == nil || known && old == id {
			continue
		}
		a.wheel.Restarted(addr, id, old)
		a.worker.notify.wakeAll() // claims detect missing shards
	}
	if a.runIDs == nil {
		a.runIDs = map[string]string{}
	}
	maps.Copy(a.runIDs, now) // keeps the IDs of nodes that cannot be reached
	return nil
}

// runIDsOf returns the run IDs of the Redis masters by address. A Redis process gets a new run ID
// when it starts. An embedded server has none.
func runIDsOf(ctx context.Context, client goredis.UniversalClient) (map[string]string, error) {
	var mu sync.Mutex
	ids := map[string]string{}
	note := func(ctx context.Context, c goredis.UniversalClient, addr string) error {
		text, err := c.Info(ctx, "server").Result()
		if id := connect.Fields(text)["run_id"]; id != "" {
			mu.Lock()
			defer mu.Unlock()
			ids[addr] = id
		}
		return err
	}
	if c, ok := client.(*goredis.ClusterClient); ok {
		err := c.ForEachMaster(ctx, func(ctx context.Context, node *goredis.Client) error {
			return note(ctx, node, node.Options().Addr)
		})
		return ids, err
	}
	return ids, note(ctx, client, connect.Address(client))
}
