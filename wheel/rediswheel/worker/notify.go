package worker

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
)

// Rate of the claims of an idle worker, which waits for notifications. A script publishes a notification on the channel
// PREFIX:wake if it puts a task back, or adds one that is due before all others of its shard. The time at which other tasks become due is known
// from the last claim. Since notifications can be lost, a worker also claims from each shard from time to time, at a
// total rate that does not depend on the number of shards. A worker that cannot subscribe polls at intervals of
// Options.Poll.
const (
	// idleEvery is the maximum time between two claims of an idle worker, of any shards; the intervals are random, and on
	// average three quarters of it. A claim that finds no task executes 15 Redis commands. If Options.Poll is longer
	// than an interval, the worker waits for Options.Poll and executes fewer commands.
	idleEvery = 750 * time.Millisecond
)

// behindWait is the delay after the time at which a task becomes due, for a worker that found nothing at the last such
// time, because other workers were faster, or that has refused a task. Without it, each worker would run a script for each
// task. It ends as soon as the worker finds a task or is notified of one: so the others take over in that time if the
// first is busy or dead.
const behindWait = 200 * time.Millisecond

// pollAfterMissedTime is the time for which a shard is polled after a claim has found a task for which no notification
// was received. The user of the program that added the task may not be allowed to publish.
const pollAfterMissedTime = 5 * time.Minute

// notifier receives the Redis notifications for the shards of a layout and wakes the lease keepers of those shards.
type notifier struct {
	wheel *engine.Wheel
	poll  time.Duration // value of Options.Poll, the interval of claims without notifications
	live  atomic.Bool   // whether the notifier is subscribed to the notifications of all shards
	woken map[string]chan struct{}
}

func newNotifier(wheel *engine.Wheel, poll time.Duration) *notifier {
	n := &notifier{wheel: wheel, poll: poll, woken: map[string]chan struct{}{}}
	for _, s := range wheel.Shards() {
		n.woken[s.WakeChannel()] = make(chan struct{}, 1)
	}
	return n
}

// run receives notifications until ctx is done. It reconnects after an error, first after retryFirst, then after a time
// that doubles up to scriptWait.
func (n *notifier) run(ctx context.Context) {
	for wait := retryFirst; ctx.Err() == nil; wait = min(2*wait, scriptWait) {
		err := n.subscribe(ctx)
		if n.live.Swap(false) {
			wait = retryFirst
			n.wakeAll() // notifications may be lost from now on
		}
		connect.ReloadSlots(ctx, n.wheel.Client(), err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// subscribe receives notifications over one connection until the connection fails, and returns the error. After
// engine.BeatEvery without a message it sends a ping, and closes the connection after as much again.
func (n *notifier) subscribe(ctx context.Context) error {
	var channels []string
	for channel := range n.woken {
		channels = append(channels, channel)
	}
	sub := n.wheel.Client().Subscribe(ctx, channels...)
	defer sub.Close()
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })()
	for asked := false; ; {
		message, err := sub.ReceiveTimeout(ctx, engine.BeatEvery)
		var timeout net.Error
		switch {
		case err == nil:
			asked = false
			n.receive(message)
		case !asked && errors.As(err, &timeout) && timeout.Timeout():
			if asked, err = true, sub.Ping(ctx); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

func (n *notifier) receive(message any) {
	switch m := message.(type) {
	case *goredis.Subscription:
		if m.Count == len(n.woken) {
			n.live.Store(true)
			n.wakeAll() // for tasks added before the subscription
		}
	case *goredis.Message:
		wake(n.woken[m.Channel])
	}
}

// wakeAll makes the lease keeper of every shard claim tasks.
func (n *notifier) wakeAll() {
	for _, c := range n.woken {
		wake(c)
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// interval returns the time after which a worker claims from a shard even if no task is known to be due: Options.Poll
// if there are no notifications, otherwise a random duration of at least Options.Poll, so that the claims of all shards
// are spread over time.
func (n *notifier) interval() time.Duration {
	if !n.live.Load() {
		return n.poll
	}
	most := time.Duration(len(n.woken)) * idleEvery
	return max(n.poll, most/2+rand.N(most/2))
}

// rest computes how long a leaseKeeper waits until its next claim. It is not safe for concurrent use.
type rest struct {
	notify *notifier
	woken  chan struct{}
	lease  time.Duration // Options.Lease

	claimed time.Time // time at which the last claim returned
	// blind is whether the worker receives notifications, but the current wait ends before any known task is
	// due. If the claim after this wait finds a task, the notification for that task was missed.
	blind     bool
	expects   bool      // whether the current wait ends when a known task is due
	behind    bool      // whether the worker waits for behindWait after the time at which a known task is due
	pollUntil time.Time // time until which the shard is polled at intervals of Options.Poll; see pollAfterMissedTime
}

func newRest(n *notifier, s engine.Shard, lease time.Duration) rest {
	return rest{notify: n, woken: n.woken[s.WakeChannel()], lease: lease}
}

// forever is used as the time until the next task is due if no further task is known.
const forever = time.Duration(math.MaxInt64)

// next returns the wait after a claim. found is the number of tasks that the claim has found, known is the time until
// the next known task is due, and suspects is whether the claim could include suspects. If it could not, there may be
// suspects that are due earlier than known, so the wait is at most Options.Poll. yields is whether the worker has refused
// tasks that others may call (see Worker.refuses); it then comes later than any other.
func (r *rest) next(found int, known time.Duration, suspects, yields bool) time.Duration {
	r.claimed = time.Now()
	if found > 0 && r.blind {
		r.pollUntil = r.claimed.Add(pollAfterMissedTime)
	}
	r.behind = yields || found == 0 && (r.behind || r.expects)
	limit := r.notify.interval()
	if !suspects || r.claimed.Before(r.pollUntil) {
		limit = r.notify.poll
	}
	if known <= r.lease {
		// A lease may be outstanding. If no worker claims from the shard for half a lease, the next claim leaves lapsed
		// leases for a while (claim.lua), because their workers may have been cut off, too.
		limit = min(limit, r.lease*2/5)
	}
	r.blind = known > limit && r.notify.live.Load()
	if r.expects = 0 < known && known <= limit; r.expects && r.behind {
		known += behindWait
	}
	return min(known, limit)
}

// waitInterval waits until busyWait has passed since the last claim, or until ctx is done. It is called after
// a notification.
func (r *rest) waitInterval(ctx context.Context) {
	r.blind, r.expects, r.behind = false, false, false
	wait := busyWait - time.Since(r.claimed)
	if wait <= 0 {
		return
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
}

// containsPutBack reports whether batch has results for tasks that were put back. Such tasks become due at times that
// the last claim did not report.
func containsPutBack(batch []result) bool {
	return slices.ContainsFunc(batch, func(r result) bool { return r.end != done && r.end != becameDead })
}
