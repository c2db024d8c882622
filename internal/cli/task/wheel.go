package task

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// pauseWait is the default of --wait: how long the command wheel pause waits until no task is in flight.
// pauseLook is the interval between its checks.
const (
	pauseWait = time.Minute
	pauseLook = 100 * time.Millisecond
)

func newWheel(s *console.Streams) *cobra.Command {
	var f console.RedisFlags
	c := &cobra.Command{
		Use:   "wheel",
		Short: "Create, describe and pause wheels on Redis",
		Long: `Wheel administers wheels of delayed tasks on Redis. A wheel is divided into shards, each
on one node of a cluster. The first worker or task creates a wheel with 16 shards; wheel
create creates one with any number. The number is fixed then: to change it, create a second
wheel, and pass the tasks on with task export and task import.

` + console.RedisHelp,
		Example: `  wheelscope wheel create orders --shards 8
  wheelscope wheel info orders
  wheelscope wheel pause orders
  wheelscope wheel resume orders`,
	}
	c.PersistentFlags().StringVar(&f.Addr, "redis", "", "`ADDR` of Redis (default "+console.RedisDefault+")")
	c.AddCommand(newWheelCreate(s, &f), newWheelInfo(s, &f), newWheelPause(s, &f), newWheelResume(s, &f))
	console.OnlyCommands(c)
	return c
}

// oneName validates the arguments of commands that take the name of a wheel.
var oneName = console.ExactlyOne("NAME")

func newWheelCreate(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var shards int
	c := &cobra.Command{
		Use:   "create NAME",
		Short: "Create a wheel",
		Long: fmt.Sprintf(`Create creates a wheel of --shards shards, 1 to %d. It fails if the wheel exists. In a
cluster, use a multiple of the number of masters: the shards are spread evenly over its
hash slots.`, rediswheel.ShardsMax),
		Example: "  wheelscope wheel create orders --shards 8",
		Args:    oneName,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkShards(shards); err != nil {
				return err
			}
			err := onNamed(c.Context(), f, args, existing, func(_ context.Context, w *rediswheel.Wheel) error {
				return fmt.Errorf("wheel %q already exists, with %d shards", w.Name(), w.Shards())
			})
			if !errors.Is(err, rediswheel.ErrNone) {
				return err
			}
			return onNamed(c.Context(), f, args, rediswheel.Options{Shards: shards}, func(_ context.Context, w *rediswheel.Wheel) error {
				return s.Result(console.Fields{"wheel": w.Name(), "shards": w.Shards()}, "wheel %q created (shards: %d)\n", w.Name(), w.Shards())
			})
		},
	}
	s.JSONFlag(c, "what was made")
	c.Flags().IntVar(&shards, "shards", rediswheel.ShardsDefault, "`N` shards")
	return c
}

func newWheelInfo(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var shape console.TableFlags
	c := &cobra.Command{
		Use:     "info NAME",
		Short:   "Describe a wheel and count its tasks by shard",
		Long:    `Info shows the layout of a wheel, whether it is paused, and its tasks by shard and state.`,
		Example: "  wheelscope wheel info orders --json",
		Args:    oneName,
		RunE: func(c *cobra.Command, args []string) error {
			if err := shape.CheckFor(shardColumns, s.JSON); err != nil {
				return err
			}
			return onNamed(c.Context(), f, args, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				return wheelInfo(ctx, s, w, &shape)
			})
		},
	}
	c.Flags().BoolVar(&s.JSON, "json", false, "as JSON")
	shape.Register(c, shardColumns)
	return c
}

var shardColumns = []string{"shard", "keys", "waiting", "in_flight", "retrying", "dead"}

// shardRow is the state of a shard as printed by "wheel info --json": the prefix of its keys, and the number
// of its tasks in each state.
type shardRow struct {
	Prefix   string `json:"prefix"`
	Waiting  int64  `json:"waiting"`
	InFlight int64  `json:"in_flight"`
	Retrying int64  `json:"retrying"`
	Dead     int64  `json:"dead"`
}

func wheelInfo(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, shape *console.TableFlags) error {
	d, err := w.Describe(ctx)
	if err != nil {
		return err
	}
	var shards []shardRow
	stats, err := w.ShardStats(ctx)
	if err != nil {
		return err
	}
	for i, st := range stats {
		shards = append(shards, shardRow{d.Prefixes[i], st.Waiting, st.InFlight, st.Retrying, st.Dead})
	}
	if s.JSON {
		return console.WriteJSON(s.Out, struct {
			rediswheel.Description
			Tasks []shardRow `json:"tasks"`
		}{d, shards})
	}
	state := "in operation"
	if d.Paused {
		state = "paused"
	}
	fmt.Fprintf(s.Out, "wheel %q, %s: %d shards, %d losses of data seen\n", d.Name, state, d.Shards, d.Lost)
	var rows [][]string
	for i, r := range shards {
		row := []string{strconv.Itoa(i), r.Prefix}
		for _, n := range []int64{r.Waiting, r.InFlight, r.Retrying, r.Dead} {
			row = append(row, strconv.FormatInt(n, 10))
		}
		rows = append(rows, row)
	}
	return shape.Write(s.Out, shardColumns, rows, 1)
}

func newWheelPause(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	var wait time.Duration
	c := &cobra.Command{
		Use:   "pause NAME",
		Short: "Make workers stop claiming tasks",
		Long: `Pause makes the workers of a wheel stop claiming tasks until the wheel is resumed, and
waits until no task is in flight. Tasks can still be added and removed; tasks that become
due wait.`,
		Example: "  wheelscope wheel pause orders",
		Args:    oneName,
		RunE: func(c *cobra.Command, args []string) error {
			f.Wheel = args[0]
			return within(c.Context(), taskWait+wait, f, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				if err := w.SetPaused(ctx, true); err != nil {
					return err
				}
				return awaitRest(ctx, s, w, wait)
			})
		},
	}
	s.JSONFlag(c, "the state")
	c.Flags().DurationVar(&wait, "wait", pauseWait, "wait at most `DURATION` until no task is in flight")
	return c
}

// awaitRest waits until no task of the paused wheel is in flight and all workers have had time to notice the
// pause, and prints that the wheel is paused. It returns an error if tasks are still in flight after wait.
func awaitRest(ctx context.Context, s *console.Streams, w *rediswheel.Wheel, wait time.Duration) error {
	began := time.Now()
	for {
		st, err := w.Stats(ctx)
		if err != nil {
			return err
		}
		waited := time.Since(began)
		if st.InFlight == 0 && waited >= min(wait, worker.PauseDelay) {
			return s.Result(console.Fields{"wheel": w.Name(), "paused": true, "in_flight": 0}, "wheel %q is paused, nothing is in flight\n", w.Name())
		}
		if waited >= wait {
			return fmt.Errorf("wheel %q is paused, but %d tasks are still in flight", w.Name(), st.InFlight)
		}
		select {
		case <-time.After(pauseLook):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func newWheelResume(s *console.Streams, f *console.RedisFlags) *cobra.Command {
	c := &cobra.Command{
		Use:     "resume NAME",
		Short:   "Make workers claim tasks again",
		Long:    `Resume ends a pause. Workers claim tasks again within about a second.`,
		Example: "  wheelscope wheel resume orders",
		Args:    oneName,
		RunE: func(c *cobra.Command, args []string) error {
			return onNamed(c.Context(), f, args, existing, func(ctx context.Context, w *rediswheel.Wheel) error {
				if err := w.SetPaused(ctx, false); err != nil {
					return err
				}
				return s.Result(console.Fields{"wheel": w.Name(), "paused": false}, "wheel %q is resumed\n", w.Name())
			})
		},
	}
	s.JSONFlag(c, "the state")
	return c
}
