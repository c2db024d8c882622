package lab

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// completeWait is the time limit for reading a scenario or trace in order to complete the IDs of its lanes.
const completeWait = 2 * time.Second

// completeLane completes the ID of a lane. The first element of args names the scenario or trace with the lanes.
func completeLane(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 || args[0] == "-" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(c.Context(), completeWait)
	defer cancel()
	var ids []cobra.Completion
	if p := planOf(ctx, args[0]); p != nil {
		for _, lane := range p.Scenario.Lanes {
			ids = append(ids, cobra.CompletionWithDesc(lane.ID, lane.Algorithm))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// planOf returns the program of the named scenario or trace, or nil if it is neither.
func planOf(ctx context.Context, name string) *program.Program {
	in, done, err := input.Open(ctx, name, nil)
	if err != nil {
		return nil
	}
	defer done()
	buffered, head := input.Peek(in)
	if importer.IsScenario(head) {
		p, _ := input.Read(ctx, buffered, "")
		return p
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var planned *program.Program
	_, _ = tracefile.Verify(ctx, buffered, tracefile.Options{Planned: func(p *program.Program) { planned = p; stop() }})
	return planned
}
