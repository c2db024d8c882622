// Package task has the commands for delayed tasks on Redis: task adds, lists and changes them, wheel
// works on whole wheels, and worker delivers the tasks.
package task

import (
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/redisflag"
)

// Commands returns the commands that use Redis: task, wheel and worker.
func Commands(s *console.Streams) []*cobra.Command {
	return []*cobra.Command{newTask(s), newWheel(s), newWorker(s)}
}

func newTask(s *console.Streams) *cobra.Command {
	var f redisflag.Flags
	c := &cobra.Command{
		Use:   "task",
		Short: "Add, remove and look at delayed tasks on Redis",
		Long: `Task works on the distributed wheel: delayed tasks that are kept in Redis, one a
key, and delivered at their time, at least once, by as many "wheelscope worker" as
run. A task is a callback over HTTP, or a handler that a worker of your own program
has registered by name.

To try it, in one terminal "wheelscope worker --embedded --allow-private", and in
another the examples below.

` + redisflag.Help,
		Example: `  wheelscope task add order-7 https://example.org/remind --in 30m --body '{"order":7}'
  wheelscope task list
  wheelscope task get order-7
  wheelscope task remove order-7
  wheelscope task retry --error "connection refused"`,
	}
	f.Register(c)
	c.AddCommand(newTaskAdd(s, &f), newTaskRemove(s, &f), newTaskRetry(s, &f), newTaskExport(s, &f), newTaskImport(s, &f), newTaskGet(s, &f), newTaskList(s, &f))
	console.OnlyCommands(c)
	return c
}
