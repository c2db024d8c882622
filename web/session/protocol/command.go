package protocol

import (
	"bytes"
	"errors"
	"io"
	"math"
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

// commonFields lists the fields that every command has: the version of the messages, the ID and the name of the
// command.
var commonFields = []string{"v", "id", "do"}

// knownFields is the set of the names of all fields that a command can have.
var knownFields = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range commonFields {
		known[name] = true
	}
	for _, takes := range CommandFields {
		for _, name := range takes {
			known[name] = true
		}
	}
	return known
}()

// errViewer is returned for a command other than those of a viewer from a viewer that does not drive the session.
var errViewer = texts.Errorf(texts.Invalid, "do", "only the driver of this session may send this; a viewer may only request state and events")

// ReadCommand decodes a message from a driver. If it returns an error, the returned command contains the ID of
// the message, or 0 if the ID is unknown.
func ReadCommand(data []byte) (Command, error) { return DecodeCommand(data, true) }

// DecodeCommand decodes a message, one field at a time. It returns an error at the first field that the command does
// not have. If driver is false, it returns errViewer for any command except those of viewers. If it returns an error, the
// returned command contains the ID of the message, or 0 if the ID is unknown.
func DecodeCommand(data []byte, driver bool) (Command, error) {
	c := Command{Fields: map[string]jsontext.Value{}}
	if err := c.decode(data, driver); err != nil {
		return c, err
	}
	var err error
	if c.ID, err = c.Integer("id", 1, idMax); err != nil {
		return c, err
	}
	if v, err := c.Integer("v", Version, Version); err != nil || v != Version {
		return c, err
	}
	if c.Do, err = c.Text("do"); err != nil {
		return c, err
	}
	takes, ok := CommandFields[c.Do]
	if !ok {
		return c, texts.Errorf(texts.Invalid, "do", "%q is not one of %s", texts.Clip(c.Do), commandNames())
	}
	for _, name := range commonFields {
		delete(c.Fields, name)
	}
	for _, name := range fieldNames(c.Fields) { // those that came before `do`
		if !slices.Contains(takes, name) {
			return c, texts.Errorf(texts.Invalid, name, "unknown field; %s takes %s", c.Do, listOr(takes, "no field"))
		}
	}
	return c, nil
}

// idMax is the maximum ID of a command, 2^52 − 1. JavaScript represents all integers up to it exactly.
const idMax = math.MaxInt64 >> 11

// decode decodes the message data into c.Fields and c.Do. driver is whether the sender drives the session; other
// viewers may only send the commands "state" and "events". decode returns an error at the first unknown field, so the memory and time
// that it needs do not grow with the number of such fields.
func (c *Command) decode(data []byte, driver bool) error {
	// Duplicate names inside a value are left to its decoder: checking them here needs a map.
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	if kind := dec.PeekKind(); kind != '{' {
		switch err := dec.SkipValue(); {
		case err != nil:
			return unreadable(err)
		case kind != 'n': // null counts as an object without fields, as in package json
			return texts.Errorf(texts.Invalid, "", "the message can't be read: %s", "expected an object")
		}
		return checkEnd(dec, data)
	}
	if _, err := dec.ReadToken(); err != nil {
		return unreadable(err)
	}
	for dec.PeekKind() == '"' {
		if err := c.decodeField(dec, driver); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil { // the closing brace
		return unreadable(err)
	}
	return checkEnd(dec, data)
}

// decodeField reads the name and the value of one field from dec. It returns an error if the command does not have the
// field, or if driver is false and only a driver may send the command. With such an error, it also sets c.ID if the
// "id" field has been read before, so that the error can be sent as the answer to the command.
func (c *Command) decodeField(dec *jsontext.Decoder, driver bool) error {
	token, err := dec.ReadToken()
	if err != nil {
		return unreadable(err)
	}
	name := token.String()
	if c.Has(name) {
		at := dec.InputOffset() - int64(len(name)+len(`""`))
		return texts.Errorf(texts.Invalid, "", "the message can't be read: %s", texts.Newf("duplicate object member name at byte %d", at))
	}
	if err := c.checkField(name); err != nil {
		c.ID, _ = c.Integer("id", 1, idMax)
		return err
	}
	value, err := dec.ReadValue()
	if err != nil {
		return unreadable(err)
	}
	c.Fields[name] = slices.Clone(value)
	if name != "do" {
		return nil
	}
	if c.Do, err = c.Text("do"); err == nil && !driver && c.Do != "state" && c.Do != "events" {
		c.ID, _ = c.Integer("id", 1, idMax)
		return errViewer
	}
	return nil // a wrong `do` is an error after the message is read
}

// checkField returns an error if the command does not have the named field. Before `do` has been read, the
// fields of all commands are accepted.
func (c *Command) checkField(name string) error {
	takes, ok := CommandFields[c.Do]
	switch {
	case !knownFields[name] && !ok:
		return texts.Errorf(texts.Invalid, texts.Clip(name), "unknown field; no command takes it")
	case ok && !slices.Contains(takes, name) && !slices.Contains(commonFields, name):
		return texts.Errorf(texts.Invalid, texts.Clip(name), "unknown field; %s takes %s", c.Do, listOr(takes, "no field"))
	}
	return nil
}

// checkEnd returns an error if data contains anything but white space after the value that dec, a decoder of data,
// has read.
func checkEnd(dec *jsontext.Decoder, data []byte) error {
	at := int(dec.InputOffset())
	rest := bytes.TrimLeft(data[at:], " \t\r\n")
	if len(rest) == 0 {
		return nil
	}
	at = len(data) - len(rest)
	return texts.Errorf(texts.Invalid, "", "the message can't be read: %s", texts.Newf("invalid character %q after the value at byte %d", rest[0], at))
}

// unreadable returns the error for a message that cannot be parsed because of err.
func unreadable(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return texts.Errorf(texts.Invalid, "", "the message can't be read: %s", syntaxText(err))
}

// Has reports whether the command has the named field.
func (c *Command) Has(name string) bool { _, ok := c.Fields[name]; return ok }

// fault returns the error for the named field, which is missing or whose value is not what is wanted.
func (c *Command) fault(name string, want any) error {
	v, ok := c.Fields[name]
	if !ok {
		return texts.Errorf(texts.Invalid, name, "missing; expected %s", want)
	}
	return texts.Errorf(texts.Invalid, name, "%s is not %s", texts.Clip(string(v)), want)
}

// Integer returns the value of the named field, which is required and must be an integer in [min, max].
func (c *Command) Integer(name string, min, max int64) (int64, error) {
	n, err := strconv.ParseInt(string(c.Fields[name]), 10, 64)
	switch {
	case err == nil && n >= min && n <= max:
		return n, nil
	case min == max:
		return 0, c.fault(name, strconv.FormatInt(min, 10))
	}
	return 0, c.fault(name, scenario.Between(min, max))
}

// Number returns the value of the named field, which is required and must be a number.
func (c *Command) Number(name string) (float64, error) {
	v := c.Fields[name]
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || v.Kind() != '0' {
		return 0, c.fault(name, "a number")
	}
	return n, nil
}

// Text returns the value of the named field, which is required and must be a string.
func (c *Command) Text(name string) (string, error) {
	var s string
	v := c.Fields[name]
	if err := json.Unmarshal(v, &s); err != nil || v.Kind() != '"' {
		return "", c.fault(name, "a string")
	}
	return s, nil
}

// Integers returns the value of the named field, which is required and must be a list of 1 to n integers in [min, max].
func (c *Command) Integers(name string, min, max int64, n int) ([]int64, error) {
	refuse := func() ([]int64, error) {
		return nil, c.fault(name, texts.Newf("1 to %d whole numbers between %d and %d", n, min, max))
	}
	inside, ok := bytes.CutPrefix(c.Fields[name], []byte{'['})
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
