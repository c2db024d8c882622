// Wheelscope is a laboratory for timing wheels: it runs the published timer
// algorithms on one workload under one clock, on the command line and in the
// browser. `go run . --help` says how to begin.
package main

import (
	"os"

	"github.com/wheelscope/wheelscope/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
