package protocol

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
)

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

// ofViewers reports whether viewers that do not drive the session may send the command do.
func ofViewers(do string) bool { return do == "state" || do == "events" }

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
	if c.Do, err = c.Text("do"); err == nil && !ofViewers(c.Do) && !driver {
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
