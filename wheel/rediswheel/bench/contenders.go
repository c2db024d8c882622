package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hibiken/asynq"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
	"golang.org/x/sync/errgroup"
)

// onWheel is the contender that uses this project's wheel.
type onWheel struct {
	client *goredis.Client
	wheel  *rediswheel.Wheel
	c      *config
}

func openWheel(addr string, c *config) (contender, error) {
	client := goredis.NewClient(&goredis.Options{Addr: addr})
	w, err := rediswheel.Open(context.Background(), client, rediswheel.Options{})
	return &onWheel{client, w, c}, err
}

func (o *onWheel) add(ctx context.Context, key, url string, body []byte, due time.Time) error {
	if o.c.inProcess {
		return o.wheel.AddTask(ctx, key, rediswheel.Task{Handler: handlerName, Body: body}, due)
	}
	return o.wheel.AddTask(ctx, key, rediswheel.Task{URL: url, Body: body}, due)
}

// handlerName is the handler name of the tasks added to the wheel, and the type of the tasks added to asynq.
const handlerName = "callback"

func (o *onWheel) fill(ctx context.Context, n int, body []byte, due time.Time) error {
	items := make([]rediswheel.Item, 0, fillBatch)
	for i := range n {
		items = append(items, rediswheel.Item{Key: fmt.Sprint("pending-", i), Task: rediswheel.Task{URL: o.c.url, Body: body},
			ExecuteAt: due.Add(time.Duration(i) * time.Millisecond)})
		if len(items) == fillBatch || i == n-1 {
			if err := o.wheel.AddTasks(ctx, items); err != nil {
				return err
			}
			items = items[:0]
		}
	}
	return nil
}

// fillBatch is the number of pending tasks that one call to AddTasks adds.
const fillBatch = 10_000

func (o *onWheel) deliver(ctx context.Context) error {
	handle := func(_ context.Context, call worker.Call) error {
		o.c.called(call.Task.Body)
		return nil
	}
	w, err := worker.New(o.wheel, worker.Options{Concurrency: o.c.concurrency, AllowPrivate: true,
		Handlers: map[string]worker.Handler{handlerName: handle}})
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

func (o *onWheel) close() { _ = o.client.Close() }

// onAsynq is the contender that uses asynq, with a handler that makes the same HTTP callback as the wheel. The
// ID of a task is its key, so that keys are unique as in the wheel. asynq polls as often as a worker of the
// wheel does.
type onAsynq struct {
	opt    asynq.RedisClientOpt
	client *asynq.Client
	http   *http.Client
	c      *config
}

func openAsynq(addr string, c *config) (contender, error) {
	opt := asynq.RedisClientOpt{Addr: addr}
	transport := &http.Transport{MaxIdleConns: 2 * c.concurrency, MaxIdleConnsPerHost: c.concurrency, DisableCompression: true}
	return &onAsynq{opt, asynq.NewClient(opt), &http.Client{Transport: transport}, c}, nil
}

func (o *onAsynq) add(ctx context.Context, key, _ string, body []byte, due time.Time) error {
	_, err := o.client.EnqueueContext(ctx, asynq.NewTask(handlerName, body), asynq.ProcessAt(due), asynq.TaskID(key))
	return err
}

// fill implements contender. It adds the tasks one by one from fillCallers goroutines, because asynq cannot add several
// tasks in one call.
func (o *onAsynq) fill(ctx context.Context, n int, body []byte, due time.Time) error {
	var all errgroup.Group
	all.SetLimit(fillCallers)
	for i := range n {
		all.Go(func() error {
			return o.add(ctx, fmt.Sprint("pending-", i), "", body, due.Add(time.Duration(i)*time.Millisecond))
		})
	}
	return all.Wait()
}

func (o *onAsynq) deliver(ctx context.Context) error {
	s := asynq.NewServer(o.opt, asynq.Config{Concurrency: o.c.concurrency, LogLevel: asynq.FatalLevel,
		DelayedTaskCheckInterval: worker.PollDefault, TaskCheckInterval: worker.PollDefault})
	if err := s.Start(asynq.HandlerFunc(o.call)); err != nil {
		return err
	}
	<-ctx.Done()
	s.Shutdown()
	return nil
}

func (o *onAsynq) call(ctx context.Context, t *asynq.Task) error {
	if o.c.inProcess {
		o.c.called(t.Payload())
		return nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.c.url, bytes.NewReader(t.Payload()))
	if err != nil {
		return err
	}
	resp, err := o.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %s", resp.Status)
	}
	return nil
}

func (o *onAsynq) close() {
	_ = o.client.Close()
	o.http.CloseIdleConnections()
}
