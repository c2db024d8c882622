package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/wheel"
)

// InputError describes a fault of a scenario in one line for the user who wrote it: where it is,
// what was found, and what was expected.
type InputError struct {
	Path    string // of the field, "lanes[1].slots"; "" if no field can be named
	Line    int    // of the file, from 1; 0 if not known
	Message say.Message
}

// Error returns one line, which begins with the path of the field or else with the line number.
func (e *InputError) Error() string {
	switch {
	case e.Path != "":
		return e.Path + ": " + e.Message.String()
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return e.Message.String()
}

// Under returns the error with its path relative to the object at path: under "workload.ops[4]"
// the path "workload.ops[4].delay" becomes "delay". A form that edits the object uses it to
// show the message at the field. An error outside the object is returned unchanged.
func (e *InputError) Under(path string) *InputError {
	if e.Path != path && !strings.HasPrefix(e.Path, path+".") {
		return e
	}
	return &InputError{strings.TrimPrefix(e.Path[len(path):], "."), e.Line, e.Message}
}

// Fault returns an InputError with a path.
func Fault(path, format string, args ...any) *InputError {
	return &InputError{Path: path, Message: say.Of(format, args...)}
}

// paramFault converts an error of package wheel about a lane's parameter to an InputError.
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
