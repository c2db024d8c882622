package lab

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

func init() { engine.RecordOwnWith(recordOwn) }

// recordOwn runs the source of an own wheel in a process of its own, which has limits of time and memory.
func recordOwn(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
	request, err := own.LaneRequest(p, i)
	if err != nil {
		return nil, err
	}
	c, in, out, ended, err := child(ctx, "own-lane")
	if err != nil {
		return nil, err
	}
	defer c.Kill()
	_, err = in.Write(request)
	var reply own.LaneReply
	if err = cmp.Or(err, in.Close()); err == nil {
		err = json.NewDecoder(out).Decode(&reply)
	}
	if err != nil {
		return nil, ended()
	}
	return reply.Log()
}

// child starts this program with a hidden command. It is killed when ctx is done, or after a time that no source may take.
func child(ctx context.Context, command string) (c *own.Command, in io.WriteCloser, out io.Reader, ended func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if c, err = own.NewCommand(self, command); err != nil {
		return nil, nil, nil, nil, err
	}
	in, out, ended, err = c.Pipes()
	context.AfterFunc(ctx, c.Kill)
	return c, in, out, ended, err
}

// JudgeScript judges the wheel of t in a process of its own.
func JudgeScript(ctx context.Context, t *own.Trial) (*own.Result, error) {
	c, in, out, ended, err := child(ctx, "own-exam")
	if err != nil {
		return nil, err
	}
	defer c.Kill()
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

// newOwnLane returns the command that recordOwn starts.
func newOwnLane(s *console.Streams) *cobra.Command {
	return &cobra.Command{
		Use: "own-lane", Short: "Run the wheel in JavaScript of a scenario", Hidden: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return script.ServeLane(c.Context(), s.In, s.Out, func() { os.Exit(2) })
		},
	}
}
