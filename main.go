// Wheelscope is a laboratory for timing wheels: it runs published timer algorithms on one
// workload in virtual time, on the command line and in the browser. The command
// "go run . --help" lists the commands.
package main

//go:generate go run limits_gen.go

import (
	"os"

	"github.com/wheelscope/wheelscope/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
