package worker_test

import (
	"context"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// A worker delivers a task to a handler in the same program.
func ExampleNew() {
	server, err := miniredis.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer client.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	wheel, err := rediswheel.Open(ctx, client, rediswheel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := worker.New(wheel, worker.Options{Handlers: map[string]worker.Handler{
		"remind": func(_ context.Context, c worker.Call) error {
			fmt.Println(c.Key, "attempt", c.Attempt)
			cancel() // Run returns
			return nil
		}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := wheel.AddTask(ctx, "order-7", rediswheel.Task{Handler: "remind"}, time.Now()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Run(ctx))
	// Output:
	// order-7 attempt 1
	// <nil>
}
