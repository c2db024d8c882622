// Package worker delivers the tasks of a wheel on Redis, each as an HTTP callback or to a Go
// handler registered by name. [New] returns a [Worker] for a wheel that package rediswheel has
// opened, and [Worker.Run] delivers tasks until it is stopped. Any number of workers may serve one
// wheel. Package rediswheel documents the guarantees of delivery. Start reading at worker.go, and
// at lease_keeper.go for the claims of one shard.
//
// # Receivers that share a worker
//
// A worker claims as many tasks as it has free slots, and some more while callbacks take less
// than 20 ms. A task that finds no slot within 100 ms is put back. A receiver is a host and port,
// or a handler. It gets at most 7/8 of the slots. If other receivers are called at the same time,
// a receiver that is slow, fails or is not known yet gets at most a quarter. [Options.PerHost]
// sets a fixed number instead. After five consecutive callbacks without an answer, one callback at
// a time tries the receiver. Further tasks are put back without counting an attempt, and released
// once there is room for them (release.go). Tasks for an address that this worker may not call are
// also put back, since another worker may call it. Tasks whose handler the worker does not have,
// or whose record has a newer version, are reserved for workers that can run them.
//
// # Tasks that kill their workers
//
// A task that kills its workers is given up after five consecutive workers died while it was their
// only suspect, or after it was claimed [Options.Attempts] times. Other tasks in flight lose
// their leases as well. Therefore a task whose lease has lapsed after its second claim or a later one
// is a suspect. A worker holds one suspect at first, one more with each that ends, and fewer with
// each lapse, until the task that kills workers is alone. With three attempts or more the others
// are delivered.
package worker
