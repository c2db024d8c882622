package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// jsonFlag adds --json to a command that prints a line per result.
func (s *streams) jsonFlag(c *cobra.Command, what string) {
	c.Flags().BoolVar(&s.json, "json", false, "print "+what+" as JSON")
}

// result prints one result of a command: v as a line of JSON with --json, else a text.
func (s *streams) result(v any, format string, args ...any) error {
	if !s.json {
		_, err := fmt.Fprintf(s.out, format, args...)
		return err
	}
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// fields are the fields of a result; JSON has them in alphabetical order.
type fields map[string]any

// needOutput returns an error if --json is set and the data itself goes to standard output.
func (s *streams) needOutput(out string) error {
	if s.json && (out == "" || out == "-") {
		return errors.New("--json: it describes what -o writes; without -o standard output has the data itself")
	}
	return nil
}
