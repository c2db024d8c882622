package scenario

import (
	"errors"
	"strings"

	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/wheel"
)

// InputError is an error in a scenario. It describes, in one line for the author of the scenario, where the
// error is, what was found, and what was expected.
type InputError struct {
	Path    string // path of the field, such as "lanes[1].slots"; "" means that the error does not concern a field
	Line    int    // line number in the file, counting from 1; 0 means that it is not known
	Message errmsg.Message
}

// Error returns the message in English, preceded by the path of the field or, if there is none, by the line
// number.
func (e *InputError) Error() string { return e.In(nil) }

// In is like Error, in the language of catalogue c, or in English if c is nil.
func (e *InputError) In(c *errmsg.Catalogue) string {
	message := e.Message.In(c)
	switch {
	case e.Path != "":
		return e.Path + ": " + message
	case e.Line > 0:
		return errmsg.Newf("line %d: %s", e.Line, message).In(c)
	}
	return message
}

// Under returns a copy of e whose path is relative to the object at path. For example,
// Under("workload.ops[4]") changes the path "workload.ops[4].delay" to "delay", so a form for editing the
// object can show the error beside that field. If the path of e is outside the object, Under returns e
// itself.
func (e *InputError) Under(path string) *InputError {
	if e.Path != path && !strings.HasPrefix(e.Path, path+".") {
		return e
	}
	return &InputError{strings.TrimPrefix(e.Path[len(path):], "."), e.Line, e.Message}
}

// Fault returns an InputError with the given path and message.
func Fault(path, format string, args ...any) *InputError {
	return &InputError{Path: path, Message: errmsg.Newf(format, args...)}
}

// paramFault converts err, an error from package catalog about a lane's parameters, to an InputError. lane is
// the path of the lane.
func paramFault(lane string, err error) *InputError {
	var p *wheel.ParamError
	switch {
	case !errors.As(err, &p):
		return Fault(lane, "%s", err)
	case p.Name == "start":
		return Fault("start", "%s is not %s", p.Found, p.Want)
	}
	return Fault(lane+"."+p.Name, "%s is not %s", p.Found, p.Want)
}
