package input

import (
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim/library"
)

// CompleteScenarios returns a function that completes the names of built-in scenarios for the first count
// arguments of a command. The shell itself completes file names.
func CompleteScenarios(count int) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= count {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return CompleteScenario(c, args, begun)
	}
}

// CompleteScenario completes the names of built-in scenarios for an argument or a flag.
func CompleteScenario(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, b := range library.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title.In("en")))
	}
	return names, cobra.ShellCompDirectiveDefault
}
