package rediswheel_test

import (
	"context"
	"log/slog"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// A program adds a task for a handler, and delivers due tasks until its context ends.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	client, err := rediswheel.Connect(ctx, "127.0.0.1:6379", "")
	if err != nil {
		slog.Error(err.Error())
		return
	}
	defer client.Close()
	wheel, err := rediswheel.Open(ctx, client, rediswheel.Options{})
	if err != nil {
		slog.Error(err.Error())
		return
	}
	remind := rediswheel.Task{Handler: "remind", Body: []byte(`{"order":7}`)}
	if err := wheel.AddTask(ctx, "order-7", remind, time.Now().Add(30*time.Minute)); err != nil {
		slog.Error(err.Error())
		return
	}
	w, err := worker.New(wheel, worker.Options{Handlers: map[string]worker.Handler{
		"remind": func(_ context.Context, c worker.Call) error {
			slog.Info("reminding", "task", c.Key, "attempt", c.Attempt, "late", c.Late)
			return nil // or an error, and it is tried again
		}}})
	if err != nil {
		slog.Error(err.Error())
		return
	}
	_ = w.Run(ctx)
}
