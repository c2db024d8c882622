package scenario

import (
	"errors"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// InputError is an error in a scenario, of kind [texts.Invalid]. It describes, in one line for the author of the
// scenario, where the error is, what was found, and what was expected.
type InputError = texts.Error

// Fault returns an InputError with the given path and message.
func Fault(path, format string, args ...any) *InputError {
	return texts.Errorf(texts.Invalid, path, format, args...)
}

// faultAt returns an InputError with the given line number and message.
func faultAt(line int, format string, args ...any) *InputError {
	e := Fault("", format, args...)
	e.Line = line
	return e
}

// paramFault converts err, an error from package catalog about a lane's parameters, to an InputError. lane is
// the path of the lane.
func paramFault(lane string, err error) *InputError {
	var p *wheel.ParamError
	if !errors.As(err, &p) {
		return Fault(lane, "%s", err)
	}
	path := lane + "." + p.Name
	if p.Name == "start" {
		path = "start"
	}
	var found any = p.Found
	if p.Items > 0 {
		found = texts.Newf("a list of %d", p.Items)
	}
	return Fault(path, "%s is not %s", found, texts.Newf(p.Want, p.Args...))
}

// JSONText returns the text of err, a syntax error of the JSON decoder, so that it can be translated. The decoder quotes
// the invalid character in it.
func JSONText(err error) texts.Message {
	text := shorten(strings.ReplaceAll(err.Error(), "\n", " "), 120)
	if rest, ok := strings.CutPrefix(text, invalidCharacter); ok {
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			return texts.Newf(invalidCharacter+"%s"+strings.ReplaceAll(rest[len(quoted):], "%", "%%"), quoted)
		}
	}
	return texts.Newf(strings.ReplaceAll(text, "%", "%%"))
}

const invalidCharacter = "invalid character "
