package usererr

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
)

// refusal is the error for a session command or a URL that is rejected.
type refusal struct {
	path    string         // path of the field that the error concerns, such as "lanes[0].slots"; "" if it concerns none
	line    int            // line in the text of the scenario, counting from 1; 0 if unknown
	message errmsg.Message // message for the user, a single line
}

// New returns an error about the field with the given path, or about no field if path is "". format is a key of
// static.Errors.
func New(path, format string, args ...any) error {
	return &refusal{path: path, message: errmsg.Newf(format, args...)}
}

// Of returns an error that has the message m and does not concern a field.
func Of(m errmsg.Message) error { return &refusal{message: m} }

// Error returns the path and the message, in English, on a single line.
func (r *refusal) Error() string { return r.in("en").Error() }

// in returns r as shown to a user in the language lang.
func (r *refusal) in(lang string) *Description {
	return &Description{Path: r.path, Message: r.message.In(static.Errors(lang)), Line: r.line}
}

// Below adds the name of a field to the beginning of the path in err, an error about the value of that field.
// For example, "delay" in the "op" field becomes "op.delay". It returns errors other than a
// scenario.InputError unchanged.
func Below(field string, err error) error {
	input, ok := errors.AsType[*scenario.InputError](err)
	if !ok {
		return err
	}
	path := field
	if input.Path != "" {
		path += "." + input.Path
	}
	return &refusal{path, input.Line, input.Message}
}

// NotInTime is the message for a request or a command that timed out.
var NotInTime = errmsg.Newf("this was not ready in time: the server is busy; try again in a while")

// Describe returns err as shown to a user in the language lang, or nil if err is nil.
func Describe(err error, lang string) *Description {
	if err == nil {
		return nil
	}
	var refused *refusal
	var input *scenario.InputError
	var place *sim.PositionError
	var long *sim.TooLongError
	var excess *engine.TickError
	var sized *program.TooLargeError
	var full *sim.NoMemoryError
	switch {
	case errors.As(err, &refused):
		return refused.in(lang)
	case errors.As(err, &input):
		return (&refusal{input.Path, input.Line, input.Message}).in(lang)
	case errors.As(err, &place):
		last := strconv.FormatInt(place.Last, 10)
		return (&refusal{path: "seq", message: errmsg.Newf("%d is not an event of this run, which has %s", place.Seq, last)}).in(lang)
	case errors.As(err, &long):
		return (&refusal{path: "until", message: long.Message()}).in(lang)
	case errors.As(err, &excess):
		return (&refusal{message: excess.Message()}).in(lang)
	case errors.As(err, &sized):
		return (&refusal{message: sized.Message()}).in(lang)
	case errors.As(err, &full):
		return (&refusal{message: full.Message()}).in(lang)
	case errors.Is(err, fairqueue.ErrBusy):
		return (&refusal{message: errmsg.Newf("the server is busy; try again in a while")}).in(lang)
	case errors.Is(err, context.DeadlineExceeded):
		return (&refusal{message: NotInTime}).in(lang)
	case errors.Is(err, sim.ErrCancelled):
		return (&refusal{message: errmsg.Newf("the computation was cancelled; the run can be viewed up to that point. Open the scenario again to compute all of it")}).in(lang)
	case errors.Is(err, sim.ErrGone):
		return (&refusal{message: errmsg.Newf("the run is no longer kept, since many others were opened meanwhile; try again")}).in(lang)
	}
	return &Description{Message: err.Error()}
}

// Description is an error as shown to a user, on a single line.
type Description struct {
	Path    string `json:"path"`          // path of the field that the error concerns, such as "lanes[0].slots"; empty if it concerns none
	Message string `json:"message"`       // message in the language of the user
	Line    int    `json:"line,omitzero"` // line in the text of the scenario, counting from 1; 0 or absent if unknown
}

// Error returns the path, if there is one, and the message.
func (e *Description) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// IsInput reports whether err was caused by the request: by a parameter, a scenario or a position in a run.
func IsInput(err error) bool {
	return errors.As(err, new(*refusal)) || errors.As(err, new(*scenario.InputError)) || errors.As(err, new(*sim.PositionError))
}

// IsShortage reports whether err means that the server is busy or has too little memory.
func IsShortage(err error) bool {
	return errors.Is(err, fairqueue.ErrBusy) || errors.As(err, new(*program.TooLargeError)) || errors.As(err, new(*sim.NoMemoryError))
}

// Clip returns s, for quoting in a message. If s has more than 60 bytes, the rest is replaced by an ellipsis.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
