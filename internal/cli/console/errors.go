package console

import (
	"errors"
	"fmt"
	"io"
)

var (
	// ErrDiffers sets exit code 1. The difference has been printed.
	ErrDiffers = errors.New("the trace differs")
	// ErrReported sets exit code 2. The error has been printed.
	ErrReported = errors.New("an error was reported")
)

// PrintError writes err to stderr as one line.
func PrintError(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "wheelscope: "+OneLine(err.Error()))
}
