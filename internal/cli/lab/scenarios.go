package lab

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/sim/library"
)

func newScenarios(s *console.Streams) *cobra.Command {
	var shape console.TableFlags
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List the built-in scenarios",
		Long: `Scenarios lists the built-in scenarios: the name, which every command accepts, the
title and the lanes. With --json it also prints what each scenario shows and the
question it asks, in English and Chinese.`,
		Example: `  wheelscope scenarios
  wheelscope scenarios --json`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if s.JSON {
				return console.WriteJSON(s.Out, library.Builtins())
			}
			if err := shape.Check(scenarioColumns); err != nil {
				return err
			}
			return listScenarios(s, &shape)
		},
	}
	c.Flags().BoolVar(&s.JSON, "json", false, "as JSON, in English and Chinese")
	shape.Register(c, scenarioColumns)
	return c
}

var scenarioColumns = []string{"name", "title", "lanes"}

func listScenarios(s *console.Streams, shape *console.TableFlags) error {
	var rows [][]string
	for _, b := range library.Builtins() {
		rows = append(rows, []string{b.Name, b.Title.In("en"), strings.Join(b.Lanes, " ")})
	}
	return shape.Write(s.Out, scenarioColumns, rows, 1)
}
