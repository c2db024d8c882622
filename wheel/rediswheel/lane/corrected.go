package lane

import (
	"context"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// corrected is the rule by which package rediswheel stores and delivers tasks: due tasks are
// claimed under a lease, and acknowledged when their callbacks have succeeded. The worker polls
// again when the next task is due, and after [worker.PollDefault] at the latest.
type corrected struct {
	l        *Lane
	shard    rediswheel.Shard
	nextPoll int64  // time of the worker's next poll, in ns
	swap     string // key of the task that the next added task replaces; empty means none
}

// prefix is the key prefix of the only shard.
const prefix = "wheel{0}"

// claimKeys is the number of keys that a claim without due tasks reads: leases, retries and
// minutes.
const claimKeys = 3

// poll is the longest time between two polls, in ns.
const poll = int64(worker.PollDefault)

func newCorrected(l *Lane) *corrected {
	return &corrected{l: l, shard: rediswheel.Shard{Redis: l.server, Prefix: prefix}, nextPoll: l.ns(l.start)}
}

func (r *corrected) clone(l *Lane) rule {
	c := *r
	c.l, c.shard.Redis = l, l.server
	return &c
}

// fits returns an error if due is too late to be drawn, since its second would exceed the largest slot number.
// Package rediswheel itself accepts later times.
func (r *corrected) fits(due int64) error {
	if due > nsMax-nsSecond {
		return wheel.ErrRange
	}
	return nil
}

// add adds task i to Redis, which replaces any other task of its key, and returns its slot.
func (r *corrected) add(i uint32) uint32 {
	l := r.l
	t := &l.tasks[i]
	due := -floorDiv(-l.ns(t.due), nsMilli)
	task := rediswheel.Task{URL: "http://callback.invalid/", Body: []byte(nameOf(t.id))}
	l.server.set(l.ns(l.now))
	replaced, err := r.shard.Add(context.Background(), []rediswheel.Entry{{Key: t.key, Due: due, Record: task.Record(due)}})
	l.fail(err)
	l.cost.Slots++
	l.cost.Touched++
	t.member, t.score = t.key, due
	old := l.other(i)
	if err == nil && replaced[0] != (old != 0 || r.swap == t.key) {
		l.fail(errNotes)
	}
	r.swap = ""
	if old != 0 {
		l.cancelled(old)
	}
	return uint32(due / 1000)
}

// other returns the index of another task with the key of task i, or 0 if there is none.
func (l *Lane) other(i uint32) uint32 {
	return uint32(max(0, slices.IndexFunc(l.tasks, func(t task) bool {
		return t.used && t.key == l.tasks[i].key && t.id != l.tasks[i].id
	})))
}

// remove removes task i from Redis by its key.
func (r *corrected) remove(i uint32) {
	l := r.l
	removed, err := r.shard.Remove(context.Background(), []string{l.tasks[i].key})
	l.fail(err)
	if err == nil && !removed[0] {
		l.fail(errNotes)
	}
	l.cost.Slots++
	l.cost.Touched++
	l.cancelled(i)
}

// replace prepares the replacement of task i by the next task, which has the same key: it removes
// task i from the lane's state only, since in Redis adding the next task replaces it.
func (r *corrected) replace(i uint32) {
	r.swap = r.l.tasks[i].key
	r.l.cancelled(i)
}

// refused removes the task that the rejected task would have replaced, since the caller no longer
// wants it at its old due time.
func (r *corrected) refused() {
	if r.swap == "" {
		return
	}
	_, err := r.shard.Remove(context.Background(), []string{r.swap})
	r.l.fail(err)
	r.swap = ""
}

// jump does nothing: the only clock is that of Redis.
func (r *corrected) jump(int64) {}

// earliest returns the first instant at which a task is due or retried or its lease lapses, and
// false if there is none.
func (r *corrected) earliest() (int64, bool) {
	best := never
	for i := range r.l.tasks {
		switch t := &r.l.tasks[i]; {
		case !t.used:
		case t.level == levelSlices:
			best = min(best, t.score*nsMilli)
		case t.slot != slotDead:
			best = min(best, t.at)
		}
	}
	return best, best != never
}

// next returns the instant of the first poll that finds a task, and whether there is one.
func (r *corrected) next() (int64, bool) {
	at, ok := r.earliest()
	return max(at, r.nextPoll), ok && at <= nsMax
}

// pass adds the cost of the polls up to the instant `to`, without running them. They must find nothing.
func (r *corrected) pass(to int64) {
	if to < r.nextPoll {
		return
	}
	n := (to-r.nextPoll)/poll + 1
	r.l.cost.Slots += claimKeys * n
	r.plan(r.nextPoll + (n-1)*poll)
}

// plan sets the time of the poll that follows a poll at the instant `at`, by the worker's rule.
func (r *corrected) plan(at int64) {
	r.nextPoll = at + poll
	if due, ok := r.earliest(); ok {
		r.nextPoll = min(r.nextPoll, max(due, at+nsMilli))
	}
}

func (r *corrected) idlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return r.l.idlePeak(r.nextPoll, poll, to, claimKeys)
}

// wake runs the poll of a worker that was suspended until the instant `at`, if a poll is overdue.
func (r *corrected) wake(at int64, fired []wheel.Expiry) []wheel.Expiry {
	if at < r.nextPoll {
		return fired
	}
	return r.work(at, fired)
}

// work claims due tasks until none is left, runs their callbacks, and appends those that succeed to fired.
func (r *corrected) work(at int64, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	l.cost.Slots += claimKeys
	for range timersMax { // each claim takes at least one task
		claim, err := r.shard.Claim(context.Background(), worker.BatchMax, time.Duration(l.lease))
		l.fail(err)
		if l.err == nil && len(claim.Tasks) == 0 && claim.Wait != r.wait(claim.Now) {
			l.fail(errNotes)
		}
		if l.err != nil || len(claim.Tasks) == 0 {
			break
		}
		batch := r.claimed(claim)
		fired = r.callBack(at, claim, batch, fired)
	}
	r.plan(at)
	return fired
}

// wait returns the time in ms from now until the next task is due, or −1 if there are no tasks. A
// claim that finds nothing must report the same time.
func (r *corrected) wait(now int64) int64 {
	due, ok := r.earliest()
	if !ok {
		return -1
	}
	return max(0, due/nsMilli-now)
}
