// Package task has the commands for delayed tasks on Redis: task adds, lists and changes tasks, wheel manages
// the wheels that hold them, and worker delivers the tasks.
package task

import (
	_ "time/tzdata" // for --zone on systems without time zones

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// Commands returns the commands that use Redis: task, wheel and worker.
func Commands(s *console.Streams) []*cobra.Command {
	return []*cobra.Command{newTask(s), newWheel(s), newWorker(s)}
}

func newTask(s *console.Streams) *cobra.Command {
	var f console.RedisFlags
	c := &cobra.Command{
		Use:   "task",
		Short: "Add, list, change and remove delayed tasks on Redis",
		Long: `Task works on a distributed wheel, which stores delayed tasks in Redis, at most one per
key. Any number of "wheelscope worker" processes deliver them when they are due, at
least once. A task is an HTTP callback, or a call of a handler that a worker in your
own program has registered by name.

To try it, run "wheelscope worker --embedded --allow-private" in one terminal and the
examples below in another.

` + console.RedisHelp,
		Example: `  wheelscope task add order-7 https://example.org/remind --in 30m --body '{"order":7}'
  wheelscope task list
  wheelscope task get order-7
  wheelscope task move order-7 --in 2h
  wheelscope task remove order-7
  wheelscope task retry --error "connection refused"`,
	}
	f.Register(c)
	c.AddCommand(newTaskAdd(s, &f), newTaskRemove(s, &f), newTaskRetry(s, &f), newTaskMove(s, &f), newTaskRun(s, &f), newTaskExport(s, &f), newTaskImport(s, &f), newTaskGet(s, &f), newTaskList(s, &f))
	console.OnlyCommands(c)
	return c
}
