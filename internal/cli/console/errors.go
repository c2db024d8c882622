package console

import (
	"errors"
	"fmt"
	"io"
)

var (
	// ErrDiffers makes the program exit with code 1. It is returned after the difference has been printed.
	ErrDiffers = errors.New("the trace differs")
	// ErrReported makes the program exit with code 2. It is returned after the error has been printed.
	ErrReported = errors.New("an error was reported")
)

// PrintError writes err to stderr as one line.
func PrintError(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "wheelscope: "+OneLine(err.Error()))
}
