package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/wheel"
)

// InputError says what is wrong with a scenario in one line: where, what was
// found, and what was expected. It is meant for the user who wrote it.
type InputError struct {
	Path    string // of the field, "lanes[1].slots"; "" where no field can be named
	Line    int    // of the file, from 1; 0 where it is not known
	Message say.Message
}

// Error is one line: the path of the field or, for want of one, the line.
func (e *InputError) Error() string {
	switch {
	case e.Path != "":
		return e.Path + ": " + e.Message.String()
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Message)
	}
	return e.Message.String()
}

// Under returns the error with its path told from the object at path: from
// "workload.ops[4]" the field "workload.ops[4].delay" is "delay". A form that
// edits that object puts the message beside its field. An error elsewhere is
// returned as it is.
func (e *InputError) Under(path string) *InputError {
	if e.Path != path && !strings.HasPrefix(e.Path, path+".") {
		return e
	}
	return &InputError{strings.TrimPrefix(e.Path[len(path):], "."), e.Line, e.Message}
}

// fault makes an InputError at a path.
func fault(path, format string, args ...any) *InputError {
	return &InputError{Path: path, Message: say.Of(format, args...)}
}

// paramFault turns what wheel says of a lane's parameter into an InputError.
func paramFault(lane string, err error) *InputError {
	var p *wheel.ParamError
	switch {
	case !errors.As(err, &p):
		return fault(lane, "%s", err)
	case p.Name == "start":
		return fault("start", "%s is not %s", p.Found, p.Want)
	}
	return fault(lane+"."+p.Name, "%s is not %s", p.Found, p.Want)
}
