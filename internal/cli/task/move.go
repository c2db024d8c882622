package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

func newTaskMove(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var a addFlags
	c := &cobra.Command{
		Use:        "move KEY",
		SuggestFor: []string{"reschedule", "delay", "postpone"},
		Short:      "Move a task to another time",
		Long: `Move makes a task due at another time, earlier or later. Its URL or handler and its body stay
as they are. A task that is dead, or waits for another attempt, starts again with its first
attempt. A task in flight is not changed.`,
		Example: `  wheelscope task move order-7 --in 2h
  wheelscope task move order-7 --at 2030-01-01T03:00:00Z`,
		Args: console.ExactlyOne("KEY"),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("in") && a.at == "" {
				return errors.New("move needs one of --in and --at")
			}
			at, err := a.time()
			if err != nil {
				return err
			}
			return onWheel(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				return moveTask(ctx, s, w, args[0], at)
			})
		},
	}
	c.Flags().DurationVar(&a.in, "in", 0, "due after `DURATION` from now, such as 90s or 2h30m")
	c.Flags().StringVar(&a.at, "at", "", "due at `TIME`, such as 2030-01-01T03:00:00Z")
	c.MarkFlagsMutuallyExclusive("in", "at")
	s.JSONFlag(c, "when it is due")
	return c
}

// moveTask moves a task to the time that dueAt returns, given the time of the Redis server.
func moveTask(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, key string, dueAt func(now time.Time) time.Time) error {
	now, err := clock(ctx, w)
	if err != nil {
		return err
	}
	at := dueAt(now)
	ok, err := w.Reschedule(ctx, key, at)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("no task %q", key)
	}
	due := at.Add(time.Millisecond - 1).Truncate(time.Millisecond).UTC().Format(instantLayout) // rounded up, as in the wheel
	return s.Result(console.Fields{"key": key, "due": due}, "%s is due %s\n", console.Printable(key), due)
}

func newTaskRun(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	c := &cobra.Command{
		Use:   "run KEY...",
		Short: "Make tasks due now",
		Long: `Run makes tasks due now, whether they wait for their time or for another attempt, or are dead. They
start with their first attempt. A task in flight is not changed.`,
		Example: "  wheelscope task run order-7",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("run needs a KEY (see %s --help)", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return onMany(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				return eachTask(ctx, s, args, "is due now", "no task %s", w.RunNow)
			})
		},
	}
	s.JSONFlag(c, "what is due now")
	return c
}
