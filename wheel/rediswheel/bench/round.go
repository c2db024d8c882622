package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// bodySize is the length of the body of every task, in bytes. A small JSON document has about this length.
const bodySize = 100

// leadTime determines how long before its due time a task is added. In the part "steady" of the benchmark, this time is
// approximately leadTime; in the part "deliver", it is at least leadTime.
const leadTime = 2 * time.Second

// idleTime is the time during which the commands of an idle worker are counted, and settleTime is
// the wait before that.
const (
	idleTime   = 10 * time.Second
	settleTime = 3 * time.Second
)

// round runs the selected parts of the benchmark on one library, each part on a new server, and returns the figures.
// open opens the library on the server with the given address. calls is the HTTP server that counts the callbacks.
func round(c *config, calls *sink, open func(string, *config) (contender, error)) (figures, error) {
	f := figures{}
	for _, part := range []struct {
		name    string
		measure func(*config, *sink, *server, contender, figures) error
	}{{"add", addAll}, {"deliver", deliverAll}, {"steady", steady}, {"idle", idle}} {
		if !c.parts[part.name] {
			continue
		}
		if err := onServer(c, open, func(s *server, lib contender) error { return part.measure(c, calls, s, lib, f) }); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return f, nil
}

// onServer starts a new Redis server, opens the library under measurement on it, calls do with the server and
// the library, and closes them.
func onServer(c *config, open func(string, *config) (contender, error), do func(*server, contender) error) error {
	server, err := startServer()
	if err != nil {
		return err
	}
	defer server.close()
	lib, err := open(server.addr, c)
	if err != nil {
		return err
	}
	defer lib.close()
	return do(server, lib)
}

// addAll measures how many tasks per second are added, for each number of concurrent callers in c.callers, and
// the memory per added task. It stores the results in f.
func addAll(c *config, _ *sink, server *server, lib contender, f figures) error {
	far := time.Now().Add(24 * time.Hour)
	before := server.memory()
	for _, n := range c.callers {
		rate, err := addMany(c, lib, fmt.Sprint("far", n), c.adds, n, far)
		if err != nil {
			return err
		}
		f[addName(n)] = rate
	}
	f[nameMemory] = (server.memory() - before) / float64(c.adds*len(c.callers))
	return nil
}

// idle measures how many commands per second Redis executes, including those in scripts, while a worker has
// no due tasks. It stores the result in f.
func idle(_ *config, _ *sink, server *server, lib contender, f figures) error {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- lib.deliver(ctx) }()
	time.Sleep(settleTime)
	before := server.commands()
	time.Sleep(idleTime)
	f[nameIdle] = (server.commands() - before) / idleTime.Seconds()
	stop()
	return <-ended
}

// steady measures the lateness of tasks that become due at a constant rate, while c.pending other tasks are
// waiting and not yet due. It stores the results in f.
func steady(c *config, sink *sink, _ *server, lib contender, f figures) error {
	body := make([]byte, bodySize)
	if err := lib.fill(context.Background(), c.pending, body, time.Now().Add(24*time.Hour)); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- lib.deliver(ctx) }()
	n := int(c.steady.Seconds() * float64(c.rate))
	all := sink.expect(n)
	start := time.Now().Add(leadTime)
	var adding sync.WaitGroup
	failed := make(chan error, steadyCallers)
	for caller := range steadyCallers {
		adding.Go(func() {
			for i := caller; i < n; i += steadyCallers {
				due := start.Add(time.Duration(i) * time.Second / time.Duration(c.rate)).Truncate(time.Millisecond)
				time.Sleep(time.Until(due.Add(-leadTime)))
				text := append([]byte(due.Format(time.RFC3339Nano)+"\n"), body...)
				if err := lib.add(context.Background(), fmt.Sprint("steady-", i), c.url, text, due); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	adding.Wait()
	select {
	case err := <-failed:
		return err
	case <-time.After(time.Minute):
		return errors.New("not all was delivered within a minute")
	case <-all:
	}
	f[nameP50], f[nameP99], f[nameLatest], f[nameEarly] = sink.lateness()
	stop()
	return <-ended
}

// steadyCallers is the number of goroutines that add tasks in the part "steady" of the benchmark.
const steadyCallers = 4

// addMany adds n tasks with the given number of concurrent callers. The keys are prefix, a hyphen, and 0, 1 and so on.
// due is the due time of the first task; each further task is due 0.1 ms after the previous one. addMany returns the
// number of tasks added per second.
func addMany(c *config, lib contender, prefix string, n, callers int, due time.Time) (float64, error) {
	var all sync.WaitGroup
	failed := make(chan error, callers)
	body := make([]byte, bodySize)
	began := time.Now()
	for caller := range callers {
		all.Go(func() {
			for i := caller; i < n; i += callers {
				at := due.Add(time.Duration(i) * time.Millisecond / 10)
				if err := lib.add(context.Background(), fmt.Sprintf("%s-%d", prefix, i), c.url, body, at); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	select {
	case err := <-failed:
		return 0, err
	default:
		return float64(n) / took.Seconds(), nil
	}
}

// deliverAll adds c.tasks tasks, and starts a worker when all of these are due. It measures the rate of delivery until
// the last callback, and the CPU time that this program and Redis spend per task. It stores the results in f.
func deliverAll(c *config, sink *sink, server *server, lib contender, f figures) error {
	began := time.Now()
	if _, err := addMany(c, lib, "rate", c.tasks/10, fillCallers, began.Add(24*time.Hour)); err != nil {
		return err
	}
	due := time.Now().Add(15*time.Since(began) + leadTime) // all are there by then
	if _, err := addMany(c, lib, "due", c.tasks, fillCallers, due); err != nil {
		return err
	}
	time.Sleep(time.Until(due.Add(time.Duration(c.tasks) * time.Millisecond / 10)))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	all := sink.expect(c.tasks)
	program, redis := processorTime(), server.processorTime()
	began = time.Now()
	go labelled(ctx, "worker", func(ctx context.Context) { ended <- lib.deliver(ctx) })
	select {
	case <-all:
	case err := <-ended:
		return fmt.Errorf("delivery ended: %w", err)
	}
	n := float64(c.tasks)
	f[nameDeliver] = n / time.Since(began).Seconds()
	f[nameProgram] = (processorTime() - program) / n
	f[nameRedis] = (server.processorTime() - redis) / n
	stop()
	return <-ended
}

// fillCallers is the number of goroutines that add tasks while nothing is measured.
const fillCallers = 32
