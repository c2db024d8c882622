package protocol

import (
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/static"
)

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

// Describe returns err as shown to a user in the language lang, or nil if err is nil.
func Describe(err error, lang string) *Description {
	if err == nil {
		return nil
	}
	e := texts.ErrorOf(err)
	if e == nil {
		return &Description{Message: err.Error()}
	}
	return &Description{Path: e.Path, Message: e.Message.In(static.Messages(lang)), Line: e.Line}
}
