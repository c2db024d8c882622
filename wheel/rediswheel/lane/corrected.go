package lane

import (
	"context"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// corrected is the implementation of rule that stores and delivers tasks as package rediswheel does. The worker claims
// due tasks under a lease, and acknowledges them when their callbacks have succeeded. It polls when the next task is
// due, and at least once per [worker.PollDefault].
type corrected struct {
	l        *Lane
	shard    engine.Shard
	nextPoll int64  // Unix time of the worker's next poll, in nanoseconds
	swap     string // key of the task that the next added task will replace; empty means none
}

// prefix is the key prefix of the only shard of the wheel.
const prefix = "wheel{0}"

// claimKeys is the number of Redis keys that a claim reads if no task is due. They are the sorted sets of the leases,
// of the retries, and of the minutes that have slices.
const claimKeys = 3

// poll is the maximum time between two polls, in ns.
const poll = int64(worker.PollDefault)

func newCorrected(l *Lane) *corrected {
	return &corrected{l: l, shard: engine.Shard{Redis: l.server, Prefix: prefix}, nextPoll: l.ns(l.start)}
}

func (r *corrected) clone(l *Lane) rule {
	c := *r
	c.l, c.shard.Redis = l, l.server
	return &c
}

// fits returns wheel.ErrRange if due, a due time in Unix nanoseconds, is too late for the lane, in which the number of
// a slot is a Unix time in seconds and must fit in 32 bits. Package rediswheel itself accepts later times.
func (r *corrected) fits(due int64) error {
	if due > nsMax-nsSecond {
		return wheel.ErrRange
	}
	return nil
}

// add adds task i to Redis, replacing any task with the same key, and returns its slot.
func (r *corrected) add(i uint32) uint32 {
	l := r.l
	t := &l.tasks[i]
	due := -floorDiv(-l.ns(t.due), nsMilli)
	task := rediswheel.Task{URL: "http://callback.invalid/", Body: []byte(nameOf(t.id))}
	l.server.set(l.ns(l.now))
	replaced, err := r.shard.Add(context.Background(), []engine.Entry{{Key: t.key, Due: due, Record: task.Record(due)}})
	l.fail(err)
	l.cost.Slots++
	l.cost.Touched++
	t.member, t.score = t.key, due
	old := l.other(i)
	if err == nil && replaced[0] != (old != 0 || r.swap == t.key) {
		l.fail(errMismatch)
	}
	r.swap = ""
	if old != 0 {
		l.cancelled(old)
	}
	return uint32(due / 1000)
}

// other returns the index of another task with the same key as task i, or 0 if there is none.
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
		l.fail(errMismatch)
	}
	l.cost.Slots++
	l.cost.Touched++
	l.cancelled(i)
}

// replace removes task i from the state of the lane, but not from Redis. The next task to be added has the same key,
// and replaces task i in Redis.
func (r *corrected) replace(i uint32) {
	r.swap = r.l.tasks[i].key
	r.l.cancelled(i)
}

// refused is called after a new task has been rejected. If the new task was to replace an old task, refused
// removes the old task from Redis, because the caller no longer wants the old task to run.
func (r *corrected) refused() {
	if r.swap == "" {
		return
	}
	_, err := r.shard.Remove(context.Background(), []string{r.swap})
	r.l.fail(err)
	r.swap = ""
}

// jump is called when the wall clock is moved. It does nothing, because the type corrected uses only the clock of
// Redis.
func (r *corrected) jump(int64) {}

// earliest returns the earliest Unix time, in nanoseconds, at which a task can be claimed, because the task is due, is
// due for a retry, or has a lease that lapses. It returns false if there is no such time.
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

// next returns the Unix time, in nanoseconds, of the next poll that finds a task. It returns false if there is no such
// poll.
func (r *corrected) next() (int64, bool) {
	at, ok := r.earliest()
	return max(at, r.nextPoll), ok && at <= nsMax
}

// pass skips the polls up to and including end, a Unix time in nanoseconds, and adds their cost to the cost of the
// lane. The caller must know that these polls would find no task.
func (r *corrected) pass(end int64) {
	if end < r.nextPoll {
		return
	}
	n := (end-r.nextPoll)/poll + 1
	r.l.cost.Slots += claimKeys * n
	r.plan(r.nextPoll + (n-1)*poll)
}

// plan sets r.nextPoll, the time of the next poll, after a poll at now. Both are Unix times in nanoseconds. The next
// poll takes place when the next task can be claimed, but at least 1 ms, and at most [worker.PollDefault], after now.
func (r *corrected) plan(now int64) {
	r.nextPoll = now + poll
	if due, ok := r.earliest(); ok {
		r.nextPoll = min(r.nextPoll, max(due, now+nsMilli))
	}
}

func (r *corrected) idlePeak(to wheel.Tick) (int64, wheel.Tick) {
	return r.l.idlePeak(r.nextPoll, poll, to, claimKeys)
}

// wake is called when a suspended worker continues at now, a Unix time in nanoseconds. If the worker has missed a poll,
// wake runs one poll and appends the expired timers to fired.
func (r *corrected) wake(now int64, fired []wheel.Expiry) []wheel.Expiry {
	if now < r.nextPoll {
		return fired
	}
	return r.work(now, fired)
}

// work runs a poll at now, a Unix time in nanoseconds: it claims due tasks and runs their callbacks until no due task
// is left. It appends the expired timers to fired.
func (r *corrected) work(now int64, fired []wheel.Expiry) []wheel.Expiry {
	l := r.l
	l.cost.Slots += claimKeys
	for range timersMax { // each claim takes at least one task
		claim, err := r.shard.Claim(context.Background(), engine.AddBatch, time.Duration(l.lease))
		l.fail(err)
		if l.err == nil && len(claim.Tasks) == 0 && claim.Wait != r.wait(claim.Now) {
			l.fail(errMismatch)
		}
		if l.err != nil || len(claim.Tasks) == 0 {
			break
		}
		batch := r.claimed(claim)
		fired = r.callBack(now, claim, batch, fired)
	}
	r.plan(now)
	return fired
}

// wait returns the number of milliseconds from now, a Unix time in milliseconds, until the next task can be claimed, or
// −1 if there is no task to claim. It uses only the state of the lane. If a claim finds no task, work compares the
// result of wait with Claim.Wait, to verify the reply of Redis.
func (r *corrected) wait(now int64) int64 {
	due, ok := r.earliest()
	if !ok {
		return -1
	}
	return max(0, due/nsMilli-now)
}
