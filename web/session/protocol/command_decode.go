package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// commonFields are the fields of every command.
var commonFields = []string{"v", "id", "do"}

// knownFields is the set of the fields of all commands.
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

// errViewer is the error for a command from a socket that does not drive the session.
var errViewer = usererr.New("do", "only the driver of this session may send this; a viewer may only request state")

// ReadCommand decodes a message from a driver. If it returns an error, the ID of the returned command is that
// of the message if it could be read, and otherwise 0.
func ReadCommand(data []byte) (Command, error) { return DecodeCommand(data, true) }

// DecodeCommand decodes a message field by field. It returns an error at the first field that the command does
// not have. If driver is false, it also rejects any `do` other than state.
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
		return c, usererr.New("do", "%q is not one of %s", usererr.Clip(c.Do), commandNames())
	}
	for _, name := range commonFields {
		delete(c.Fields, name)
	}
	for _, name := range fieldNames(c.Fields) { // those that came before `do`
		if !slices.Contains(takes, name) {
			return c, usererr.New(name, "unknown field; %s takes %s", c.Do, listOr(takes, "no field"))
		}
	}
	return c, nil
}

// idMax is the maximum id of a command, 2^52 − 1. JavaScript represents all integers up to it exactly.
const idMax = math.MaxInt64 >> 11

// decode decodes data into c. It rejects the first unknown field, so that memory and time do not depend on the
// number of such fields.
func (c *Command) decode(data []byte, driver bool) error {
	// Duplicate names inside a value are left to its decoder: checking them here needs a map.
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	if kind := dec.PeekKind(); kind != '{' {
		switch err := dec.SkipValue(); {
		case err != nil:
			return unreadable(err)
		case kind != 'n': // null counts as an object without fields, as in package json
			return usererr.New("", "the message can't be read: %s", "expected an object")
		}
		return atEnd(dec, data)
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
	return atEnd(dec, data)
}

// decodeField reads one field and its value. If it returns an error, c.ID is set if the id precedes the field
// in the message.
func (c *Command) decodeField(dec *jsontext.Decoder, driver bool) error {
	token, err := dec.ReadToken()
	if err != nil {
		return unreadable(err)
	}
	name := token.String()
	if c.Has(name) {
		at := dec.InputOffset() - int64(len(name)+len(`""`))
		return usererr.New("", "the message can't be read: %s", fmt.Sprintf("duplicate object member name at byte %d", at))
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
	if c.Do, err = c.Text("do"); err == nil && c.Do != "state" && !driver {
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
		return usererr.New(usererr.Clip(name), "unknown field; no command takes it")
	case ok && !slices.Contains(takes, name) && !slices.Contains(commonFields, name):
		return usererr.New(usererr.Clip(name), "unknown field; %s takes %s", c.Do, listOr(takes, "no field"))
	}
	return nil
}

// atEnd returns an error if data contains anything but white space after the value that dec has read.
func atEnd(dec *jsontext.Decoder, data []byte) error {
	at := int(dec.InputOffset())
	rest := bytes.TrimLeft(data[at:], " \t\r\n")
	if len(rest) == 0 {
		return nil
	}
	at = len(data) - len(rest)
	return usererr.New("", "the message can't be read: %s", fmt.Sprintf("invalid character %q after the value at byte %d", rest[0], at))
}

// unreadable returns the error for a message that is not JSON.
func unreadable(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return usererr.New("", "the message can't be read: %s", oneLine(err))
}
