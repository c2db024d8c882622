package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// filterFlags holds the flags that select tasks by their properties.
type filterFlags struct {
	state, match, host, err string // err is the value of --error: a part of the error message of the last attempt
}

// register adds the flags to c. state is the default value of the --state flag; "" means waiting, or dead if
// --error is set.
func (f *filterFlags) register(c *cobra.Command, state rediswheel.State) {
	states := stateNames()
	if c.Name() == "list" {
		states = append(states, allStates)
	}
	if state == rediswheel.Dead {
		states = []string{string(rediswheel.Dead), string(rediswheel.Retrying)}
	}
	text := ""
	if state == "" {
		text = " (default waiting; dead with --error)"
	}
	c.Flags().StringVar(&f.state, "state", string(state), "`STATE`: "+strings.Join(states, ", ")+text)
	c.Flags().StringVar(&f.match, "match", "", "only keys that match `PATTERN`, in which * is any text and ? any character")
	c.Flags().StringVar(&f.host, "host", "", "only URLs of `HOST`, a name without a port")
	c.Flags().StringVar(&f.err, "error", "", "only tasks whose last failure contains `TEXT`")
	c.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(states, cobra.ShellCompDirectiveNoFileComp))
}

// given reports whether a flag other than --state is set.
func (f *filterFlags) given() bool { return f.match != "" || f.host != "" || f.err != "" }

func (f *filterFlags) query() rediswheel.Query {
	state := rediswheel.Waiting
	if f.err != "" {
		state = rediswheel.Dead
	}
	return rediswheel.Query{State: cmp.Or(rediswheel.State(f.state), state), Match: f.match, Host: f.host, Error: f.err}
}

func newTaskRemove(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var filter filterFlags
	c := &cobra.Command{
		Use:   "remove KEY...",
		Short: "Remove tasks by their keys, or those that match",
		Long: `Remove removes tasks by their keys, in any state: waiting, to be retried, in flight, or
dead. It does not stop a running callback. If there is no task with a key, remove reports
an error, but still removes the tasks of the keys that follow.

With --match, --host or --error it removes the tasks of one state that match all of these
filters. A task that is added again while the command runs is not removed.`,
		Example: `  wheelscope task remove order-7 order-8
  wheelscope task remove --match 'order-*' --state dead`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && !filter.given():
				return fmt.Errorf("remove needs a KEY, --match, --host or --error (see %s --help)", c.CommandPath())
			case len(args) > 0 && (filter.given() || filter.state != ""):
				return errors.New("remove takes either a KEY or flags that choose tasks, not both")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return onMany(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				if len(args) > 0 {
					return eachTask(ctx, s, args, "removed", "no task %s", w.RemoveTask)
				}
				n, err := w.RemoveTasks(ctx, filter.query())
				return changed(s, n, "removed", err)
			})
		},
	}
	filter.register(c, "")
	s.JSONFlag(c, "what was removed")
	return c
}

func newTaskRetry(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var filter filterFlags
	var all bool
	c := &cobra.Command{
		Use:   "retry KEY...",
		Short: "Retry dead tasks, or tasks that wait for their next attempt, at once",
		Long: `Retry makes tasks due at once. By default these are dead tasks, which start again with their
first attempt. With --state retrying they are the tasks that wait for their next attempt; use
this when their receiver has been repaired. Tasks are selected by their keys, by --match,
--host and --error, or by --all.`,
		Example: `  wheelscope task retry order-7
  wheelscope task retry --error "answered 500"
  wheelscope task retry --state retrying --host api.example.org
  wheelscope task retry --all`,
		Args: func(c *cobra.Command, args []string) error {
			chosen := all || filter.given()
			switch {
			case len(args) == 0 && !chosen:
				return fmt.Errorf("retry needs a KEY, --match, --host, --error or --all (see %s --help)", c.CommandPath())
			case len(args) > 0 && (chosen || c.Flags().Changed("state")):
				return errors.New("retry takes either a KEY or flags that choose tasks, not both")
			case all && filter.given():
				return errors.New("--all can't be combined with --match, --host or --error")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return onMany(c.Context(), f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				if len(args) > 0 {
					return eachTask(ctx, s, args, "is due now", "neither dead nor waiting for another attempt: %s", w.RetryTask)
				}
				n, err := w.Retry(ctx, filter.query())
				return changed(s, n, "due now", err)
			})
		},
	}
	filter.register(c, rediswheel.Dead)
	s.JSONFlag(c, "what is due now")
	c.Flags().BoolVar(&all, "all", false, "every task of the state")
	return c
}

// eachTask calls the function change for each key. If change returns true, eachTask prints the key and the
// string in the parameter changed, such as "removed". If change returns an error, eachTask stops and returns
// that error. If change has returned false for some keys, eachTask finally returns an error that lists them.
// missing is the format of that error and contains the verb %s for the list.
func eachTask(ctx context.Context, s *console.Streams, keys []string, changed, missing string, change func(context.Context, string) (bool, error)) error {
	var none []string
	for _, key := range keys {
		ok, err := change(ctx, key)
		if err != nil {
			return err
		}
		if ok {
			if err := s.Result(console.Fields{"key": key, "result": changed}, "%s %s\n", console.Printable(key), changed); err != nil {
				return err
			}
		} else {
			none = append(none, fmt.Sprintf("%q", key))
		}
	}
	if len(none) > 0 {
		return fmt.Errorf(missing, strings.Join(none, ", "))
	}
	return nil
}

// changed prints the result of a command that has changed n tasks, such as "3 tasks removed". The parameter
// what is the last word or words of that text, such as "removed". If err is not nil, changed prints nothing
// and returns an error that wraps err and contains n.
func changed(s *console.Streams, n int, what string, err error) error {
	if err != nil {
		return fmt.Errorf("after %d tasks: %w", n, err)
	}
	noun := "tasks"
	if n == 1 {
		noun = "task"
	}
	return s.Result(console.Fields{"tasks": n, "result": what}, "%d %s %s\n", n, noun, what)
}
