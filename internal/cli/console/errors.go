package console

import (
	"errors"
	"fmt"
	"io"
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
