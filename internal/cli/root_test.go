package cli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// Every command with a result has --json.
func TestEveryCommandHasJSON(t *testing.T) {
	n := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if sub.Hidden || sub.Name() == "help" || sub.Name() == "completion" {
				continue
			}
			walk(sub)
			if sub.HasSubCommands() {
				continue
			}
			if n++; sub.Flags().Lookup("json") == nil {
				t.Errorf("%s has no --json", sub.CommandPath())
			}
		}
	}
	walk(newRoot(&console.Streams{}, io.Discard))
	if n < 20 {
		t.Errorf("%d commands", n)
	}
}
