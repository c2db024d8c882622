package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// taskWait bounds the total time that a command on tasks waits for Redis.
const taskWait = 30 * time.Second

func newTask(s *streams) *cobra.Command {
	var f redisFlags
	c := &cobra.Command{
		Use:   "task",
		Short: "Add, remove and look at delayed tasks on Redis",
		Long: `Task works on the distributed wheel: delayed tasks that are kept in Redis, one a
key, and delivered at their time, at least once, by as many "wheelscope worker" as
run. A task is a callback over HTTP, or a handler that a worker of your own program
has registered by name.

To try it, in one terminal "wheelscope worker --embedded --allow-private", and in
another the examples below.

` + redisHelp,
		Example: `  wheelscope task add order-7 https://example.org/remind --in 30m --body '{"order":7}'
  wheelscope task list
  wheelscope task get order-7
  wheelscope task remove order-7
  wheelscope task retry --error "connection refused"`,
	}
	f.register(c)
	c.AddCommand(newTaskAdd(s, &f), newTaskRemove(s, &f), newTaskRetry(s, &f), newTaskExport(s, &f), newTaskImport(s, &f), newTaskGet(s, &f), newTaskList(s, &f))
	onlyCommands(c)
	return c
}

// onWheel opens the wheel for one command, limited to taskWait. Only task add creates a wheel.
func (f *redisFlags) onWheel(ctx context.Context, o redis.Options, do func(context.Context, *redis.Wheel) error) error {
	ctx, cancel := context.WithTimeout(ctx, taskWait)
	defer cancel()
	w, done, err := f.open(ctx, o)
	if err != nil {
		return err
	}
	defer done()
	return do(ctx, w)
}
