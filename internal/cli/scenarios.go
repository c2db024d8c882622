package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/sim"
)

// scenarioRow is a built-in scenario as `scenarios --json` lists it. A text is a
// string, or an object with one for each language.
type scenarioRow struct {
	Name     string   `json:"name"`
	Title    any      `json:"title"`
	Summary  any      `json:"summary"`
	Question any      `json:"question"`
	Lanes    []string `json:"lanes"`
}

func newScenarios(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List the built-in scenarios",
		Long: `Scenarios lists what is built in: the name by which every command takes it, its
title, and its lanes. With --json also what each shows and the question it asks, in English and
Chinese.`,
		Example: `  wheelscope scenarios
  wheelscope scenarios --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(s.out, scenarioRows())
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

func scenarioRows() []scenarioRow {
	rows := []scenarioRow{}
	for _, b := range sim.Builtins() {
		rows = append(rows, scenarioRow{b.Name, textValue(b.Title), textValue(b.Summary), textValue(b.Question), b.Lanes})
	}
	return rows
}

// textValue is a text as JSON has it.
func textValue(t sim.Text) any {
	if len(t.Langs) == 0 {
		return t.Plain
	}
	langs := make(map[string]string, len(t.Langs))
	for _, l := range t.Langs {
		langs[l.Lang] = l.Text
	}
	return langs
}
