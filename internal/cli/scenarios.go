package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

func newScenarios(s *streams) *cobra.Command {
	var asJSON bool
	var shape tableFlags
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List the built-in scenarios",
		Long: `Scenarios lists what is built in: the name by which every command takes it, its
title, and its lanes. With --json also what each shows and the question it asks, in
English and Chinese.`,
		Example: `  wheelscope scenarios
  wheelscope scenarios --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(s.out, sim.Builtins())
			}
			if err := shape.check(scenarioColumns); err != nil {
				return err
			}
			return listScenarios(s, &shape)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, in English and Chinese")
	shape.register(c, scenarioColumns)
	return c
}

var scenarioColumns = []string{"name", "title", "lanes"}

func listScenarios(s *streams, shape *tableFlags) error {
	var rows [][]string
	for _, b := range sim.Builtins() {
		rows = append(rows, []string{b.Name, b.Title.In("en"), strings.Join(b.Lanes, " ")})
	}
	return shape.write(s.out, scenarioColumns, rows, 1)
}
