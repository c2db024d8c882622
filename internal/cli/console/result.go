package console

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// JSONFlag adds the --json flag to c, a command that prints one line per result. The parameter what describes
// the results in the flag's help text, for example "the address".
func (s *Streams) JSONFlag(c *cobra.Command, what string) {
	c.Flags().BoolVar(&s.JSON, "json", false, "print "+what+" as JSON")
}

// Result prints a result: v as a line of JSON if --json is set, and otherwise the formatted text.
func (s *Streams) Result(v any, format string, args ...any) error {
	if !s.JSON {
		_, err := fmt.Fprintf(s.Out, format, args...)
		return err
	}
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Fields holds the fields of a result. In JSON they are in alphabetical order.
type Fields map[string]any

// NeedOutput returns an error if --json is set and out, the value of the -o flag, selects standard output,
// where the JSON result is printed.
func (s *Streams) NeedOutput(out string) error {
	if s.JSON && toStdout(out) {
		return errors.New("--json needs -o: without it the data itself is written to standard output")
	}
	return nil
}
