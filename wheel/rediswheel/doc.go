// Package rediswheel is a distributed timing wheel: it stores delayed tasks in Redis. [Open]
// returns a [Wheel], which adds, removes and lists tasks. Workers of package worker, in any number of
// processes, deliver each task as an HTTP callback or to a Go handler registered by name. Start
// reading at wheel.go, internal/engine/shard.go and internal/engine/scripts/claim.lua.
//
// # Guarantees
//
// Delivery is at least once. A claim atomically moves a due task to a lease, and an acknowledgement
// ends the task. If the lease lapses, another worker may claim the task. So no task is lost if a
// worker is killed at any moment, or if Redis is killed and runs with appendfsync always. A task is
// called twice if a worker dies, or is cut off from Redis for longer than the lease, between the
// call and the acknowledgement. A task is never called early by the clock of Redis (TIME), the only
// clock used. There is one task per key: adding a key again replaces its time and body, and a task
// is removed by its key. Tasks of one claim are ordered by due time; their callbacks run
// concurrently. Delivery is not exactly once, and a removal does not stop a running callback.
//
// A success ends the task that was added, even if the lease lapsed in the meantime because Redis
// did not answer. A claim whose reply is lost is repeated and returns the same tasks; no attempt is
// counted twice. If leases have lapsed while no worker reached Redis, their tasks are not claimed
// for up to a second, so that their workers can extend the leases. A task that has waited in a
// worker for 50 ms is checked before its call, and not called if it was removed or replaced.
//
// A task that kills its workers is given up after a few deaths: see package worker.
//
// # Keys
//
// A wheel named NAME with n shards has the key NAME:wheel, a hash with its format, number of shards and ID
// (internal/engine/scripts/wheel.lua lists the fields), and NAME:workers, a hash with the heartbeats of workers. The other keys
// belong to shards i = 0 … n−1. The keys of a shard have a common prefix with a hash tag, so that a shard is on one
// node of a cluster. The shard of a key is its FNV-1a hash mod n. The prefix is NAME{NAME.n.i.K}, where K is chosen so
// that the shards are spread evenly over the hash slots (internal/engine/hashtag.go). It is followed by:
//
//	:layout:ID     string      the mark: the shard belongs to the wheel with that ID;
//	                           "paused" if its tasks must not be claimed
//	:slice:MINUTE  sorted set  waiting tasks due in a minute (since 1970, UTC): key by due in ms
//	:minutes       sorted set  the minutes whose slice is not empty; its head is the
//	                           cursor: everything before it has been claimed
//	:retries       sorted set  tasks to be tried again: key by the time of the retry in ms
//	:leases        sorted set  tasks in flight: key by the time at which the lease lapses
//	:dead          sorted set  tasks given up: key by the time of giving up
//	:tasks         hash        key → record, "1 DUE HEAD\nBODY" (record.go)
//	:claims        hash        key → "TOKEN ATTEMPTS ADDITION REFUSALS LAPSES REASON" (claim_of in
//	                           common.lua), once it was claimed. The field with an empty name
//	                           keeps it a hash table (NOT_A_LIST in claim.lua)
//	:handler:NAME  sorted set  tasks that are due and wait for a worker with a handler: key by due
//	:reserved      set         names of the sets of tasks that wait for some workers
//	:claimer:ID    string      a worker's last claim, "NONCE TOKEN LAPSES", for an hour
//	:stats         hash        counters (stats.go), and fields of claim.lua: the last token, the
//	                           last claim, the end of the time in which lapsed leases are left
//
// Scripts that add, remove or claim tasks are refused on a shard without the mark of the caller's ID. So
// if Redis has lost its data, also that of one shard only, a program does not add tasks where no worker looks
// for them: it reads NAME:wheel again, creates the wheel if it is missing, reports the loss ([Wheel.Losses]), and
// continues.
//
// While a cluster moves the slot of a shard to another node, all scripts on that shard are
// refused ([ErrRefused]). Callers must add again; workers retry until the slot has moved, and
// then claim tasks whose leases lapsed in the meantime.
//
// A task is in exactly one of the sorted sets. A slice is deleted with its last task, and its
// minute is removed from :minutes, so an hour without tasks costs nothing. After an hour without
// workers the tasks are claimed in order, since a claim reads the head of :minutes and not the
// current minute.
//
// # Scripts
//
// All changes are made by scripts (scripts/*.lua, each with its arguments and reply described at
// the top; common.lua is prepended to all of a shard but add_new). They are in package internal/engine, which
// runs them on any [goredis.Scripter] and keeps no state; a lane of the simulator runs them on an embedded server
// whose clock it sets. Scripts read the time with TIME, and are deterministic otherwise.
//
// Package lane contains the wheel on Redis of xiaoxuxiansheng/timewheel, with its scripts as
// published and the rules of its scanner, including their faults.
package rediswheel
