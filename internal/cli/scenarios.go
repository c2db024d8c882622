package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

func newScenarios(s *streams) *cobra.Command {
	var asJSON bool
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
			return s.listScenarios()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, in English and Chinese")
	return c
}

func (s *streams) listScenarios() error {
	var rows [][]string
	for _, b := range sim.Builtins() {
		rows = append(rows, []string{b.Name, b.Title.In("en"), strings.Join(b.Lanes, " ")})
	}
	return writeTable(s.out, []string{"name", "title", "lanes"}, rows)
}
