// Package rediswheel is the distributed wheel: delayed tasks kept in Redis, for
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
// A success counts for what was added, whatever has become of the claim: a lease that lapsed
// while Redis did not answer costs nothing if the callback ends well. A claim whose answer
// is lost is asked for again and gives the same tasks; no attempt is counted twice. Leases
// that lapse while no worker reaches Redis are left for up to a second, so that their
// workers can extend them. A task that waited in a worker for 50 ms is checked again before its
// call: one that was removed or scheduled anew meanwhile is not called.
//
// A task that ends its workers is given up after five of them in a row ended while it was
// their only suspect, or once it was claimed [WorkerOptions.Attempts] times. Tasks in flight beside it
// lose their leases too. Therefore tasks whose lease lapsed after a second claim, or a later one, are
// suspects: a worker holds one at first, one more with each that ends, and fewer with each lapse, until the
// task to blame is alone. With three attempts or more the others are delivered.
//
// # Sharing a worker
//
// A worker claims no more tasks than it has slots for, and some ahead while callbacks take less
// than 20 ms; what finds no slot for 100 ms it gives back. One receiver, a host and port or a handler, has
// at most 7/8 of the slots, or a quarter if it is slow, fails or is not known yet while
// others are called; [WorkerOptions.PerHost] sets a number. After five callbacks in a row without
// an answer one at a time tries it. Tasks past that are put back without counting an
// attempt, and released from their wait once there is room for them (release.go). Put back are also tasks to an address that this worker may not call: another may. Tasks whose handler it does
// not have, or whose record is of a newer version, it sets aside for workers that have or read it.
//
// # Keys
//
// A wheel named NAME of n shards has one key of its own, NAME:wheel, a hash with its layout
// (scripts/wheel.lua lists the fields), and for each shard i = 0 … n−1 the keys of a prefix
// with a hash tag, so that a shard lives on one node of a cluster. A key's shard is its FNV-1a
// hash mod n. In layout 2 the prefix is NAME{NAME.n.i.K}, where K is chosen so that the
// shards are spread evenly over the hash slots (internal/hashtag); in layout 1, of wheels that older
// programs made, NAME{i}. NAME:workers is a hash of the heartbeats of workers. Behind the prefix:
//
//	:layout:ID     string      the mark: the shard belongs to the layout with that ID
//	:slice:MINUTE  sorted set  tasks waiting for a minute (of 1970, UTC): key by due in ms
//	:minutes       sorted set  the minutes whose slice is not empty; its head is the
//	                           cursor: everything before it has been claimed
//	:retries       sorted set  tasks to be tried again: key by that instant in ms
//	:leases        sorted set  tasks in flight: key by the instant the lease lapses
//	:dead          sorted set  tasks given up: key by that instant
//	:tasks         hash        key → record, "VERSION DUE HEAD\nBODY" (record.go)
//	:claims        hash        key → "TOKEN ATTEMPTS REASON\nADDITION REFUSALS", once it was
//	                           claimed, with a line "LAPSES MARK" before the last if one of these
//	                           is not 0 (claim_of in common.lua); older programs write neither
//	                           line, and take both for a part of the reason. The field
//	                           with an empty name keeps it a hash table (NOT_A_LIST in claim.lua)
//	:handler:NAME  sorted set  tasks that are due and wait for a worker with a handler: key by due
//	:deferred:HOST sorted set  index of the tasks that were put back because of a receiver: key by
//	                           due; it may name tasks that have moved on, and is gone after a minute
//	:reserved      set         names of the sets of tasks that wait for some workers
//	:version:N     sorted set  the same for a worker that reads records of a version
//	:claimer:ID    string      a worker's last claim, "NONCE TOKEN LAPSES", for an hour
//	:stats         hash        counters (stats.go), the last token, whose turn it is, when a
//	                           worker was here, until when lapsed leases are left (claim.lua)
//
// Scripts that add, remove or claim tasks are refused on a shard without the mark of their
// caller's layout. So a program whose Redis has lost its data, or that knows another number of
// shards, does not add tasks where no worker looks: it reads NAME:wheel again, makes the wheel
// again if it is missing, reports the loss ([Wheel.Losses]), and goes on in the layout that is there.
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
// and its reply; common.lua is put before all of them but add_new). [Shard]
// calls them, on anything that is a [goredis.Scripter], and keeps no state: a lane
// of the lab runs them on an embedded server whose clock it sets. Scripts read the
// time by TIME and nothing else that differs from run to run.
//
// Package lane has the wheel on Redis of xiaoxuxiansheng/timewheel, with the scripts as they were
// published and the rules of its scanner, faults and all.
package rediswheel
