package texts

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Kind says what an error means to the author of a request. Its value is the status with which HTTP answers (RFC 9110).
type Kind int

// The kinds of errors that packages other than web distinguish.
const (
	Invalid       Kind = 400 // a parameter, a command or a scenario is invalid
	Forbidden     Kind = 403 // the client lacks permission
	NotFound      Kind = 404 // a parameter names something that does not exist
	Unprocessable Kind = 422 // the content of a request is invalid, or needs more memory than there is
	Unavailable   Kind = 503 // not available now; a later attempt may succeed
)

// Error is an error for a user, in one line. It is made where it arises, and rendered where it is shown. An error of
// another type that a user may see has an Error below it, which its method Unwrap returns.
type Error struct {
	Kind Kind
	Path string // path of the field that the error concerns, such as "lanes[1].slots"; "" if it concerns none
	Line int    // line in the text of the scenario or file, counting from 1; 0 if unknown
	Message
}

// Errorf returns an error of the given kind about the field with the given path, or about no field if path is "". The
// message is that of [Newf].
//
//go:noinline
func Errorf(kind Kind, path, format string, args ...any) *Error {
	return &Error{Kind: kind, Path: path, Message: Newf(format, args...)}
}

// Error returns the message in English, preceded by the path of the field or, if there is none, by the line number.
func (e *Error) Error() string { return e.In(nil) }

// In is like Error, in the language of the catalogue c.
func (e *Error) In(c Catalogue) string {
	message := e.Message.In(c)
	switch {
	case e.Path != "":
		return e.Path + ": " + message
	case e.Line > 0:
		return Newf("line %d: %s", e.Line, message).In(c)
	}
	return message
}

// Under returns a copy of e whose path is relative to the object at path. For example, Under("workload.ops[4]") changes
// the path "workload.ops[4].delay" to "delay", so that a form for editing the object can show the error beside that
// field. If the path of e is outside the object, Under returns e itself.
func (e *Error) Under(path string) *Error {
	if e.Path != path && !strings.HasPrefix(e.Path, path+".") {
		return e
	}
	under := *e
	under.Path = strings.TrimPrefix(e.Path[len(path):], ".")
	return &under
}

// Below adds the name of a field to the beginning of the path of err, an error about the value of that field. For
// example, "delay" in the "op" field becomes "op.delay". It returns errors of other kinds than Invalid unchanged.
func Below(field string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Invalid {
		return err
	}
	below := *e
	below.Path = strings.TrimSuffix(field+"."+e.Path, ".")
	return &below
}

// WithKind returns err with the given kind if it is an error of kind Invalid, and otherwise err itself.
func WithKind(kind Kind, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Invalid {
		return err
	}
	with := *e
	with.Kind = kind
	return &with
}

// Is reports whether err is an Error of the given kind.
func Is(err error, kind Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == kind
}

// ErrNotInTime is the error for a request or a command that timed out.
var ErrNotInTime = Errorf(Unavailable, "", "this was not ready in time: the server is busy; try again in a while")

// ErrorOf returns the Error in the tree of err, or ErrNotInTime if err is that of a context that is done. It returns nil
// if err is an internal error, which is not for users.
func ErrorOf(err error) *Error {
	e, ok := errors.AsType[*Error](err)
	if !ok && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return ErrNotInTime
	}
	return e
}

// Newf returns a message whose key is format, an English format as for fmt.Sprintf. In another language it is formatted
// by the text with that key, which has the verb %s for each argument, or %[n]s if their order differs. An argument that
// has a method In, such as another Message, is shown in the same language, and so is a string that is a key itself, such
// as "a list of lanes". Other arguments, and those of the verb %q, such as text from the user, are formatted as in
// English. It is not inlined: it has hundreds of callers, which the engine of the static site holds.
//
//go:noinline
func Newf(format string, args ...any) Message { return Message{format, args, true} }

// localised is a value that can be shown in any language.
type localised interface{ In(Catalogue) string }

// verbs matches a verb of an English format, such as "%s" or "%.1f".
var verbs = regexp.MustCompile(`%[+#.0-9]*[a-zA-Z]`)

// format returns the text of m, a message of Newf, in the language of the catalogue, or in English if the catalogue has
// no text for it.
func (c Catalogue) format(m Message) string {
	format, translated := c[m.Key]
	if !translated {
		format = m.Key
	}
	args := make([]any, len(m.Args))
	var verb []string
	if translated {
		verb = verbs.FindAllString(m.Key, -1)
	}
	for i, arg := range m.Args {
		switch l, ok := arg.(localised); {
		case ok:
			args[i] = l.In(c)
		case translated:
			text := fmt.Sprintf(verb[min(i, len(verb)-1)], arg)
			if phrase, ok := c[text]; ok {
				text = phrase
			}
			args[i] = text
		default:
			args[i] = arg
		}
	}
	if len(args) == 0 {
		return strings.ReplaceAll(format, "%%", "%")
	}
	return fmt.Sprintf(format, args...)
}

// Clip returns s, for quoting in a message. If s has more than 60 bytes, the rest is replaced by an ellipsis.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
