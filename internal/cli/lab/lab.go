// Package lab has the commands that run, compare, check and convert scenarios and traces. Each
// command has a file of its name, which parses its flags, calls sim and prints the result.
package lab

import (
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// Commands returns the commands that run, compare, check and convert scenarios and traces.
func Commands(s *console.Streams) []*cobra.Command {
	return []*cobra.Command{newRun(s), newVerify(s), newExport(s), newImport(s), newCompare(s), newAdvise(s), newRecord(s), newCheck(s), newFmt(s), newLecture(s), newAlgorithms(s), newScenarios(s), newSite(s), newTry(s), newOwnExam(s), newOwnLane(s)}
}
