package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// bodySize is that of every task: a small JSON document's.
const bodySize = 100

// leadTime is how long before they are due the tasks to be delivered are all there,
// at the rate that adding has shown.
const leadTime = 2 * time.Second

// round measures one contender on a new server.
func round(c *config, sink *sink, open func(string, *config) (contender, error)) (figures, error) {
	server, err := startServer()
	if err != nil {
		return nil, err
	}
	defer server.close()
	lib, err := open(server.addr, c)
	if err != nil {
		return nil, err
	}
	defer lib.close()
	f := figures{}
	far := time.Now().Add(24 * time.Hour)
	before := server.memory()
	if f[names[1]], err = addMany(c, lib, "far", c.tasks, c.callers, far); err != nil {
		return nil, err
	}
	f[names[3]] = (server.memory() - before) / float64(c.tasks)
	if f[names[0]], err = addMany(c, lib, "one", c.sequential, 1, far); err != nil {
		return nil, err
	}
	f[names[2]], err = deliverAll(c, sink, lib, f[names[1]])
	return f, err
}

// addMany adds n tasks by some callers, and gives the rate a second.
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

// deliverAll measures from the start of the deliverer, with every task due already,
// until the last has been called.
func deliverAll(c *config, sink *sink, lib contender, rate float64) (float64, error) {
	past := time.Now().Add(time.Duration(float64(c.tasks)/rate*1.5*float64(time.Second)) + leadTime)
	due := past.Add(-time.Duration(c.tasks) * time.Millisecond / 10) // the last is due then
	if _, err := addMany(c, lib, "due", c.tasks, c.callers, laterOf(due, time.Now().Add(leadTime))); err != nil {
		return 0, err
	}
	time.Sleep(time.Until(past.Add(time.Duration(c.tasks) * time.Millisecond / 10)))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	all := sink.expect(c.tasks)
	began := time.Now()
	go func() { ended <- lib.deliver(ctx) }()
	select {
	case <-all:
	case err := <-ended:
		stop()
		return 0, fmt.Errorf("delivery ended: %w", err)
	}
	took := time.Since(began)
	stop()
	return float64(c.tasks) / took.Seconds(), <-ended
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
