package lab

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

func init() { engine.StartOwnWith(startOwn) }

// startOwn runs the source of an own wheel in a process of its own, which has limits of time and memory.
func startOwn(ctx context.Context, w engine.OwnWheel) (recorded.Source, []wheel.Level, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := own.NewCommand(self, "own-lane")
	if err != nil {
		return nil, nil, nil, err
	}
	stop := context.AfterFunc(ctx, c.Kill)
	late := time.AfterFunc(2*script.LaneMax, c.Kill)
	end := func() {
		stop()
		late.Stop()
		c.Kill()
	}
	in, out, ended, err := c.Pipes()
	if err == nil {
		var source *script.Client
		var levels []wheel.Level
		if source, levels, err = script.NewClient(in, out, ended, w.Source, w.Start, w.Slots, w.Levels); err == nil {
			return source, levels, end, nil
		}
	}
	end()
	return nil, nil, nil, err
}

// JudgeScript judges the wheel of t in a process of its own.
func JudgeScript(ctx context.Context, t *own.Trial) (*own.Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c, err := own.NewCommand(self, "own-exam")
	if err != nil {
		return nil, err
	}
	defer c.Kill()
	defer context.AfterFunc(ctx, c.Kill)()
	in, out, ended, err := c.Pipes()
	if err != nil {
		return nil, err
	}
	var r own.Result
	if err = json.NewEncoder(in).Encode(t); err == nil {
		err = json.NewDecoder(out).Decode(&r)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, ended()
	}
	return &r, nil
}

// newOwnExam returns the command that JudgeScript starts.
func newOwnExam(s *console.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "own-exam", Short: "Judge a wheel in JavaScript", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return script.ServeExam(c.Context(), s.In, s.Out, func() { os.Exit(2) })
		},
	}
}

// newOwnLane returns the command that startOwn starts.
func newOwnLane(s *console.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "own-lane", Short: "Answer the calls of a lane for a wheel in JavaScript", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return script.ServeLane(s.In, s.Out, func() { os.Exit(2) }) },
	}
}
