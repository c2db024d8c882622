package cli

import (
	"errors"
	"fmt"
	"io"
)

var (
	// errDiffers sets exit code 1. The difference has been printed.
	errDiffers = errors.New("the trace differs")
	// errReported sets exit code 2. The error has been printed.
	errReported = errors.New("an error was reported")
)

// printError writes an error as one line.
func printError(stderr io.Writer, err error) {
	fmt.Fprintln(stderr, "wheelscope: "+oneLine(err.Error()))
}
