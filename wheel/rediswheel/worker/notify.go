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
	// idleRate is the minimum number of Redis commands per second executed by the claims of an idle worker. The
	// intervals between claims are random; at their average length, the number is a third higher than idleRate. If
	// Options.Poll is longer than an interval, the worker waits for Options.Poll and executes fewer commands.
	idleRate      = 20.0
	claimCommands = 15.0 // number of Redis commands that a claim executes if it finds no task
)

// wakeIntervalMin is the minimum time between two claims if the second one is triggered by a notification. Without it,
// tasks that are added one by one and are due immediately would cost one claim each.
const wakeIntervalMin = 20 * time.Millisecond

// Delay after the time at which a task becomes due, for a worker that has found nothing at such times, because other
// workers were faster. Without it, each worker would run a script for each task. It starts at behindMin, is doubled up to
// behindMax, and ends as soon as the worker finds a task or is notified of one: so the others take over in that time if the first is busy or dead.
const (
	behindMin = 25 * time.Millisecond
	behindMax = 200 * time.Millisecond
)

// pollAfterMissedTime is the time for which a shard is polled after a claim has found a task for which no notification
// was received. The user of the program that added the task may not be allowed to publish.
const pollAfterMissedTime = 5 * time.Minute

// Times of a subscription.
const (
	subscribePing  = 5 * time.Second        // time without messages until a ping, and then until the connection is closed
	subscribeFirst = 100 * time.Millisecond // wait before the first attempt to reconnect; doubled before each further one
	subscribeMax   = 10 * time.Second       // maximum wait before an attempt to reconnect
)

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

// run receives notifications until ctx is done. It reconnects after an error.
func (n *notifier) run(ctx context.Context) {
	for wait := subscribeFirst; ctx.Err() == nil; wait = min(2*wait, subscribeMax) {
		err := n.subscribe(ctx)
		if n.live.Swap(false) {
			wait = subscribeFirst
			n.wakeAll() // notifications may be lost from now on
		}
		connect.ReloadSlots(ctx, n.wheel.Client(), err)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// subscribe receives notifications over one connection until the connection fails, and returns the error.
func (n *notifier) subscribe(ctx context.Context) error {
	var channels []string
	for channel := range n.woken {
		channels = append(channels, channel)
	}
	sub := n.wheel.Client().Subscribe(ctx, channels...)
	defer sub.Close()
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })()
	for asked := false; ; {
		message, err := sub.ReceiveTimeout(ctx, subscribePing)
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
	most := time.Duration(float64(len(n.woken)) * claimCommands / idleRate * float64(time.Second))
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
	expects   bool          // whether the current wait ends when a known task is due
	behind    time.Duration // current delay after the time at which a known task is due; see behindMin
	pollUntil time.Time     // time until which the shard is polled at intervals of Options.Poll; see pollAfterMissedTime
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
	switch {
	case yields:
		r.behind = behindMax + busyWait
	case found > 0:
		r.behind = 0
	case r.expects:
		r.behind = min(max(2*r.behind, behindMin), behindMax)
	}
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
	if r.expects = 0 < known && known <= limit; r.expects {
		known += r.behind
	}
	return min(known, limit)
}

// waitInterval waits until wakeIntervalMin has passed since the last claim, or until ctx is done. It is called after
// a notification.
func (r *rest) waitInterval(ctx context.Context) {
	r.blind, r.expects, r.behind = false, false, 0
	wait := wakeIntervalMin - time.Since(r.claimed)
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
