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
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/layout"
)

// Intervals of an idle worker, which waits for notifications. A script publishes on the channel
// PREFIX:wake if it puts a task back, or adds one that is due before all others of its shard. A
// script that releases the tasks of a receiver also publishes the receiver there. The time at
// which other tasks become due is known from the last claim. Since notifications can be lost, a
// worker also claims from each shard from time to time, at a total rate that does not depend on
// the number of shards. A worker that cannot subscribe polls at intervals of Options.Poll.
const (
	idleRate      = 20.0 // commands per second of an idle worker, including those in scripts
	claimCommands = 15.0 // number of commands in a claim that finds nothing
)

// wakeIntervalMin is the minimum time between a claim and one caused by a notification. Without it, tasks
// that are added one by one and are due immediately would cost one claim each.
const wakeIntervalMin = 20 * time.Millisecond

// pollAfterMissedTime is the time for which a shard is polled after a claim has found a task
// without a notification. The task may be from an older program that sends none.
const pollAfterMissedTime = 5 * time.Minute

// Times of a subscription: the silence after which the server is pinged, and the waits before
// reconnecting.
const (
	subscribePing  = 5 * time.Second
	subscribeFirst = 100 * time.Millisecond
	subscribeMax   = 10 * time.Second
)

// notifier receives the notifications that Redis sends for the shards of a layout, and wakes the
// claims of those shards.
type notifier struct {
	wheel layout.Layout
	poll  time.Duration // Options.Poll
	live  atomic.Bool   // whether the notifications of all shards are received
	woken map[string]chan struct{}

	answers func(host string) // called for a receiver that answers again, according to another worker
}

func newNotifier(wheel layout.Layout, poll time.Duration, answers func(host string)) *notifier {
	n := &notifier{wheel: wheel, poll: poll, woken: map[string]chan struct{}{}, answers: answers}
	for _, s := range shardsOf(wheel) {
		n.woken[s.WakeChannel()] = make(chan struct{}, 1)
	}
	return n
}

// run receives notifications until ctx ends.
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

// subscribe receives notifications over one connection until it fails.
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
		if m.Payload != "" {
			n.answers(m.Payload)
		}
		wake(n.woken[m.Channel])
	}
}

// wakeAll triggers a claim from every shard.
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

// interval returns the time after which a worker claims from a shard although no task is known to
// be due. It is random, so that the claims of all shards are spread over time.
func (n *notifier) interval() time.Duration {
	if !n.live.Load() {
		return n.poll
	}
	most := time.Duration(float64(len(n.woken)) * claimCommands / idleRate * float64(time.Second))
	return max(n.poll, most/2+rand.N(most/2))
}

// rest computes the wait of a leaseKeeper until its next claim. It must be used by one goroutine only.
type rest struct {
	notify *notifier
	woken  chan struct{}

	claimed time.Time // time at which the last claim ended
	// blind is whether the wait ends before any task is known to be due. If the
	// next claim finds a task, Redis has sent no notification of it.
	blind bool
	hasty time.Time // time until which the shard is polled at intervals of Options.Poll
}

func newRest(n *notifier, s rediswheel.Shard) rest {
	return rest{notify: n, woken: n.woken[s.WakeChannel()]}
}

// forever is the wait after a claim that found no task that will become due.
const forever = time.Duration(math.MaxInt64)

// next returns how long to wait after a claim that has found a number of tasks. known is the time
// until further tasks are due. suspects is whether the claim could include suspects; if not, known
// does not take them into account.
func (r *rest) next(found int, known time.Duration, suspects bool) time.Duration {
	r.claimed = time.Now()
	if found > 0 && r.blind {
		r.hasty = r.claimed.Add(pollAfterMissedTime)
	}
	limit := r.notify.interval()
	if !suspects || r.claimed.Before(r.hasty) {
		limit = r.notify.poll
	}
	r.blind = known > limit && r.notify.live.Load()
	return min(known, limit)
}

// waitInterval waits, after a notification, until wakeIntervalMin has passed since the last claim.
func (r *rest) waitInterval(ctx context.Context) {
	r.blind = false
	wait := wakeIntervalMin - time.Since(r.claimed)
	if wait <= 0 {
		return
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
}

// containsPutBack reports whether a batch has put tasks back. They become due at times that the last
// claim did not report.
func containsPutBack(batch []result) bool {
	return slices.ContainsFunc(batch, func(r result) bool { return r.end != done && r.end != becameDead })
}
