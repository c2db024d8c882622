package cli

import "github.com/spf13/cobra"

// labCommands returns the commands that run, compare, check and convert scenarios and traces.
func labCommands(s *streams) []*cobra.Command {
	return []*cobra.Command{newRun(s), newVerify(s), newExport(s), newImport(s), newCompare(s), newCheck(s), newFmt(s), newAlgorithms(s), newScenarios(s)}
}
