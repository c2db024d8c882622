package protocol

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Command is a message from the page. ID and Do have been decoded. The values in Fields are valid JSON that has not
// been interpreted yet.
type Command struct {
	ID     int64                     // ID that the page gave the command; 0 if it could not be decoded
	Do     string                    // name of the command
	Fields map[string]jsontext.Value // fields of the command by name, without v, id and do
}

// Has reports whether the command has the named field.
func (c *Command) Has(name string) bool { _, ok := c.Fields[name]; return ok }

// Integer returns the value of the named field, which is required and must be an integer in [min, max].
func (c *Command) Integer(name string, min, max int64) (int64, error) {
	want := scenario.Between(min, max)
	if min == max {
		want = texts.Newf("%d", min)
	}
	v, ok := c.Fields[name]
	if !ok {
		return 0, texts.Errorf(texts.Invalid, name, "missing; expected %s", want)
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < min || n > max {
		return 0, texts.Errorf(texts.Invalid, name, "%s is not %s", texts.Clip(string(v)), want)
	}
	return n, nil
}

// Number returns the value of the named field, which is required and must be a number.
func (c *Command) Number(name string) (float64, error) {
	v, ok := c.Fields[name]
	if !ok {
		return 0, texts.Errorf(texts.Invalid, name, "missing; expected %s", "a number")
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || v.Kind() != '0' {
		return 0, texts.Errorf(texts.Invalid, name, "%s is not %s", texts.Clip(string(v)), "a number")
	}
	return n, nil
}

// Text returns the value of the named field, which is required and must be a string.
func (c *Command) Text(name string) (string, error) {
	v, ok := c.Fields[name]
	if !ok {
		return "", texts.Errorf(texts.Invalid, name, "missing; expected %s", "a string")
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil || v.Kind() != '"' {
		return "", texts.Errorf(texts.Invalid, name, "%s is not %s", texts.Clip(string(v)), "a string")
	}
	return s, nil
}

// Integers returns the value of the named field, which is required and must be a list of 1 to n integers in [min, max].
func (c *Command) Integers(name string, min, max int64, n int) ([]int64, error) {
	want := texts.Newf("1 to %d whole numbers between %d and %d", n, min, max)
	v, ok := c.Fields[name]
	if !ok {
		return nil, texts.Errorf(texts.Invalid, name, "missing; expected %s", want)
	}
	refuse := func() ([]int64, error) {
		return nil, texts.Errorf(texts.Invalid, name, "%s is not %s", texts.Clip(string(v)), want)
	}
	inside, ok := bytes.CutPrefix(v, []byte{'['})
	if !ok || bytes.Count(inside, []byte{','}) >= n {
		return refuse()
	}
	var list []int64
	for item := range bytes.SplitSeq(bytes.TrimSuffix(inside, []byte{']'}), []byte{','}) {
		k, err := strconv.ParseInt(string(bytes.TrimSpace(item)), 10, 64)
		if err != nil || k < min || k > max {
			return refuse()
		}
		list = append(list, k)
	}
	return list, nil
}

// Object returns the fields of the command as a JSON object, without v, id, do and the named ones.
func (c *Command) Object(without ...string) []byte {
	b := []byte{'{'}
	for _, name := range fieldNames(c.Fields) {
		if slices.Contains(without, name) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, name)
		b = append(b, ':')
		b = append(b, c.Fields[name]...)
	}
	return append(b, '}')
}

// fieldNames returns the names of the fields in sorted order, so that the same message always causes the same error.
func fieldNames(fields map[string]jsontext.Value) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// commandNames returns the names of all commands, separated by commas.
func commandNames() string {
	names := make([]string, 0, len(CommandFields))
	for name := range CommandFields {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// listOr returns names, separated by commas. If there are no names, it returns empty, a text such as "no field".
func listOr(names []string, empty string) string {
	if len(names) == 0 {
		return empty
	}
	return strings.Join(names, ", ")
}

// syntaxText returns the text of an error of the JSON package, so that it can be translated.
func syntaxText(err error) texts.Message {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return texts.Newf("%s at byte %d", scenario.JSONText(syntactic.Err), syntactic.ByteOffset)
	}
	if _, ok := errors.AsType[*json.SemanticError](err); ok {
		return texts.Newf("expected an object")
	}
	return scenario.JSONText(err)
}
