// Package worker delivers the tasks of a wheel on Redis, each as an HTTP callback or to a Go
// handler registered by name. [New] returns a [Worker] for a wheel that package rediswheel has
// opened, and [Worker.Run] delivers tasks until it is stopped. Any number of workers may serve one
// wheel. Package rediswheel documents the guarantees of delivery. Start reading at worker.go, and
// at lease_keeper.go for the claims of one shard.
//
// # Receivers that share a worker
//
// A worker has a slot for each callback that it runs at a time. It claims as many tasks as it has
// free slots, and some more while callbacks take less than 20 ms. A task that gets no slot within
// 100 ms is put back. A receiver is a host and port, or a handler. It gets at most half of the slots
// ([Options.PerHost]), also if it is the only one, so that a receiver that hangs leaves room for others. After five
// consecutive callbacks without an answer, a circuit breaker lets one callback at a time through, about one per
// second, until one is answered. Further tasks for the receiver are put back for 0.2 to 1 s, hold no slot, and no
// attempt is counted. Tasks for an address that
// this worker may not call are also put back, since another worker may call it. Tasks whose handler
// the worker does not have are reserved for workers that have it.
//
// # Tasks that kill their workers
//
// When a worker dies, the leases of all its tasks lapse, and any of them may have killed it. A task of which two or
// more leases have lapsed in a row is a suspect. A worker holds at most one suspect at a time, beside other tasks, so
// that a task that kills workers is soon the only one that does not end. It is given up after [Options.Attempts]
// attempts. If that is three or more, the other tasks are delivered.
package worker
