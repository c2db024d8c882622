package rediswheel_test

import (
	"context"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// A wheel is opened, which creates it, and a task is added, replaced and removed by its key.
func ExampleOpen() {
	server, err := miniredis.Run() // a program connects to its Redis with Connect
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer client.Close()
	ctx := context.Background()
	wheel, err := rediswheel.Open(ctx, client, rediswheel.Options{Name: "orders"})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := rediswheel.Task{Handler: "remind", Body: []byte("7")}
	due := time.Date(2030, 1, 2, 15, 0, 0, 0, time.UTC)
	fmt.Println(wheel.AddTask(ctx, "order-7", task, due))
	fmt.Println(wheel.AddTask(ctx, "order-7", task, due.Add(time.Hour)))

	info, found, err := wheel.Get(ctx, "order-7")
	fmt.Println(info.At.UTC().Format(time.TimeOnly), found, err)
	fmt.Println(wheel.RemoveTask(ctx, "order-7"))
	// Output:
	// <nil>
	// <nil>
	// 16:00:00 true <nil>
	// true <nil>
}
