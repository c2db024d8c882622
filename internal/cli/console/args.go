package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// NoArguments validates the arguments of a command that takes none.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, %q given (see %s --help)", c.Name(), args[0], c.CommandPath())
	}
	return nil
}

// Given returns the number of arguments in words, such as "1 argument given".
func Given(args []string) string {
	if len(args) == 1 {
		return "1 argument given"
	}
	return fmt.Sprintf("%d arguments given", len(args))
}

// ExactlyOne returns a validator for commands that take exactly one argument. The parameter what is the
// name of the argument in error messages, such as "SCENARIO".
func ExactlyOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s needs one %s, %d given (see %s --help)", c.Name(), what, len(args), c.CommandPath())
		}
		return nil
	}
}

// OnlyCommands makes c, which only groups commands, return an error if it is run without a subcommand.
func OnlyCommands(c *cobra.Command) {
	c.Args = func(c *cobra.Command, args []string) error {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		list := strings.Join(names, ", ")
		if len(args) == 0 {
			return fmt.Errorf("%s needs one of %s (see %s --help)", c.Name(), list, c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if slices.Contains(sub.SuggestFor, args[0]) {
				return fmt.Errorf("%q is not a command of %s; expected %s; did you mean %q?", args[0], c.Name(), list, sub.Name())
			}
		}
		return fmt.Errorf("%q is not a command of %s; expected %s%s", args[0], c.Name(), list, DidYouMean(args[0], names))
	}
	c.RunE = func(*cobra.Command, []string) error { return nil } // not reached: Args returns an error
}
