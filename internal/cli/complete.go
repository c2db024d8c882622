package cli

import (
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

// completeScenarios completes the names of built-ins for the first `most` arguments of a
// command; the shell adds files.
func completeScenarios(most int) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeScenario(c, args, begun)
	}
}

// completeScenario completes the names of built-ins, also as the value of a flag.
func completeScenario(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, b := range sim.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title.In("en")))
	}
	return names, cobra.ShellCompDirectiveDefault
}
