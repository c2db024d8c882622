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
// 100 ms is put back. A receiver is a host and port, or a handler. It gets at most 7/8 of the slots,
// or at most a quarter if it did not answer the last callback. While other receivers are called, a
// receiver that is slow, or has not completed a callback yet, also gets at most a quarter.
// [Options.PerHost] sets a fixed number instead. After five consecutive callbacks without an
// answer, a receiver gets one callback at a time. Further tasks for it are put back without counting
// an attempt, and released once it may have more callbacks (release.go). Tasks for an address that
// this worker may not call are also put back, since another worker may call it. Tasks whose handler
// the worker does not have are reserved for workers that have it.
//
// # Tasks that kill their workers
//
// When a worker dies, the leases of all its tasks lapse, and any of them may have killed it. A
// task is a suspect if its lease has lapsed after its second claim or a later one. A worker holds at
// most one suspect at first, and one more after each that ends. With each attempt at a suspect, the
// number of suspects that a worker may hold together with it is halved, until the task that kills
// workers is the only one. It is given up after five consecutive workers have died while it was
// their only suspect, or after it was claimed [Options.Attempts] times. If that is three or more,
// the other tasks are delivered.
package worker
