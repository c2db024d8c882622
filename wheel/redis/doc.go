// Package redis is the distributed wheel: delayed tasks kept in Redis, for
// programs that outgrow one machine. A [Wheel] adds, removes and lists tasks; any
// number of [Worker] processes deliver them, each as a callback over HTTP or to a
// Go handler registered by name. Start reading at wheel.go and scripts/claim.lua.
//
// # What is promised
//
// At least once: a due task is moved, atomically, to a lease; an acknowledgement
// ends it; a lease that lapses is taken over by whoever claims next. So nothing
// is lost if a worker, or Redis with its append-only file synced always, is killed
// at any moment, and a task is called twice where a worker died, or was cut off
// from Redis for longer than its lease, between the call and the
// acknowledgement. Never early, by the clock of Redis (TIME), the only clock there
// is. One task a key: the key again replaces time and body; removal needs the key
// alone. Order is that of the due times as far as one claim goes; callbacks of one
// claim run side by side. Not promised: exactly once, or that a callback that runs
// is stopped by a removal.
//
// A task that kills its workers is given up once it was claimed [WorkerOptions.Attempts]
// times. What stands beside it dies along, and is counted too: so of tasks whose lease
// lapsed after a second claim, or a later one, a worker holds one at a time. With three
// attempts or more the others come through.
//
// # Keys
//
// A wheel named NAME of n shards has one key of its own, NAME:wheel (a hash with
// its number of shards, fixed by whoever opened it first), and for each shard
// i = 0 … n−1 the keys of the prefix NAME{i}: all keys of a shard share that hash tag, so
// that a shard lives on one node of a cluster. A key's shard is its FNV-1a hash
// mod n. NAME:workers is a hash of the heartbeats of workers.
// Behind the prefix:
//
//	:slice:MINUTE  sorted set  tasks waiting for a minute (of 1970, UTC): key by due in ms
//	:minutes       sorted set  the minutes whose slice is not empty; its head is the
//	                           cursor: everything before it has been claimed
//	:retries       sorted set  tasks to be tried again: key by that instant in ms
//	:leases        sorted set  tasks in flight: key by the instant the lease lapses
//	:dead          sorted set  tasks given up: key by that instant
//	:tasks         hash        key → record, "VERSION DUE HEAD\nBODY" (record.go)
//	:claims        hash        key → "TOKEN ATTEMPTS REASON", once it was claimed
//	:reserved      set          names of the sets with tasks for workers that have a handler
//	:stats         hash        counters (stats.go), the last token, whose turn it is (claim.lua)
//
// While a cluster moves a shard's slot to another node, everything on that shard is refused
// ([ErrRefused]): callers add again, workers try again and go on when it has moved.
// Leases that lapse meanwhile are taken over then.
//
// A task stands in exactly one of the sorted sets. A slice vanishes with its last
// task and its minute with it, so an hour without tasks costs nothing, and an hour
// without workers is made up in order: a claim looks at the head of :minutes, not
// at the minute of now.
//
// # Scripts
//
// Everything that changes is a script (scripts/*.lua, each headed by its arguments
// and its reply; common.lua stands before all of them but add_new and the published ones). [Shard]
// calls them, on anything that is a [goredis.Scripter], and keeps no state: a lane
// of the lab runs them on an embedded server whose clock it sets. Scripts read the
// time by TIME and nothing else that differs from run to run.
//
// [Published] is the wheel on Redis of xiaoxuxiansheng/timewheel, with the scripts as they were
// published and the rules of its scanner, faults and all.
package redis
