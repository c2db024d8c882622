package lab

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

func newAlgorithms(s *console.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "algorithms",
		Short: "List the algorithms and their parameters",
		Long: `Algorithms lists the algorithms that a lane can run: the id, title and source of
each, how early or late it may fire a timer, and its parameters.`,
		Example: `  wheelscope algorithms
  wheelscope algorithms --json`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			entries := knowledge.Entries(algorithms.Catalogue())
			if s.JSON {
				return console.WriteJSON(s.Out, entries)
			}
			for i := range entries {
				if err := describe(s.Out, &entries[i]); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&s.JSON, "json", false, "as JSON, in English and Chinese")
	return c
}

// describe prints a description of algorithm a.
func describe(w io.Writer, a *knowledge.Entry) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n  %s\n", a.ID, a.Title.EN, a.Summary.EN)
	fmt.Fprintf(&b, "  Source: %s\n  Early: %s\n  Late: %s\n", a.Source, a.Guarantee.Early.EN, a.Guarantee.Late.EN)
	for i := range a.Parameters {
		p := &a.Parameters[i]
		fmt.Fprintf(&b, "    %-10s %s: %s\n", p.Name, accepted(p), p.Meaning.EN)
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// accepted returns a description of the values that p accepts and of its default.
func accepted(p *knowledge.Parameter) string {
	values := strings.Join(p.Options, " | ")
	if p.Type != catalog.TypeChoice && p.Type != catalog.TypeNames {
		values = fmt.Sprintf("%s %d…%d", p.Type, p.Min, p.Max)
	}
	if p.Default == nil {
		return values + ", may be left out"
	}
	return fmt.Sprintf("%s, default %v", values, p.Default)
}
