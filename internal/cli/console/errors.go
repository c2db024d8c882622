package console

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/static"
)

var (
	// ErrDiffers makes the program exit with code 1. A command returns it after printing how a trace differs
	// from its run, how two runs differ, or that a server is not healthy.
	ErrDiffers = errors.New("the trace differs")
	// ErrReported makes the program exit with code 2. A command returns it after printing the error itself.
	ErrReported = errors.New("an error was reported")
)

// PrintError writes err to stderr as one line.
func PrintError(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "wheelscope: "+OneLine(err.Error()))
}

// InLanguage returns err with the part of its text that is translated, such as an error in a scenario, in the language
// lang.
func InLanguage(err error, lang string) error {
	var part interface {
		error
		In(texts.Catalogue) string
	}
	if errors.As(err, &part) {
		return errors.New(strings.Replace(err.Error(), part.Error(), part.In(static.Messages(lang)), 1))
	}
	return err
}
