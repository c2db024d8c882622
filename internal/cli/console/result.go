package console

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// JSONFlag adds the --json flag, which sets s.JSON, to command c. The parameter what is the phrase in the
// flag's help text that names what is printed, for example "the address".
func (s *Streams) JSONFlag(c *cobra.Command, what string) {
	c.Flags().BoolVar(&s.JSON, "json", false, "print "+what+" as JSON")
}

// Result prints a result to s.Out. If the --json flag is set, it prints v as one line of JSON. Otherwise it
// prints args according to format, as fmt.Fprintf does.
func (s *Streams) Result(v any, format string, args ...any) error {
	if !s.JSON {
		_, err := fmt.Fprintf(s.Out, format, args...)
		return err
	}
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Fields is a result for [Streams.Result]: a JSON object, given as a map. Its fields are printed in
// alphabetical order.
type Fields map[string]any

// NeedOutput returns an error if --json is set and out, the value of the -o flag, selects standard output,
// where the JSON result is printed.
func (s *Streams) NeedOutput(out string) error {
	if s.JSON && toStdout(out) {
		return errors.New("--json needs -o: without it the data itself is written to standard output")
	}
	return nil
}
