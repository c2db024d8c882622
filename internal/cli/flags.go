package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wheelscope/wheelscope/internal/cli/console"
)

// flagKinds maps the name of each flag type, as returned by pflag.Value.Type, to a description of the
// accepted values.
var flagKinds = map[string]string{
	"stringToString": "a list such as at=process_at,id=name", "float64": "a number",
	"int": "a whole number of up to 18 digits", "int64": "a whole number of up to 18 digits", "bool": "true or false", "duration": "a duration such as 90s or 2h30m",
}

// flagError rewords err, an error about a flag of c, in plain language and adds a reference to the help text
// that lists the flags. If the flag's value is invalid, the error describes the values that are accepted.
func flagError(c *cobra.Command, err error) error {
	if args := c.Flags().Args(); len(args) > 0 && c.HasSubCommands() && c.Args != nil {
		if unknown := c.Args(c, args); unknown != nil { // the flag may be one of the command that was meant
			return unknown
		}
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if kind, ok := flagKinds[bad.GetFlag().Value.Type()]; ok {
			err = fmt.Errorf("--%s: %q is not %s", bad.GetFlag().Name, bad.GetValue(), kind)
		}
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		err = unknownFlag(c, unknown)
	}
	if empty, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		err = fmt.Errorf("%s needs a value", givenFlag(empty.GetSpecifiedName(), empty.GetSpecifiedShortnames()))
	}
	return fmt.Errorf("%w (%s --help lists the flags)", err, c.CommandPath())
}

// unknownFlag returns an error about an unknown flag that suggests the most similar existing one.
func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	name, shorthands := unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames()
	err := fmt.Errorf("%s is not a flag of %s", givenFlag(name, shorthands), c.Name())
	if near := console.Nearest(name, flagNames(c)); near != "" && shorthands == "" {
		err = fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// flagNames returns the names of the flags of a command, without dashes.
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// givenFlag returns the flag with the given name as the user wrote it: -name if shorthands is not empty, and
// otherwise --name. shorthands is the group of one-letter flags that contains the flag, such as "xyz" in
// -xyz.
func givenFlag(name, shorthands string) string {
	if shorthands == "" {
		return "--" + name
	}
	return "-" + name
}

// flagGroup matches cobra's error about flags that exclude each other.
var flagGroup = regexp.MustCompile(`^if any flags in the group \[[^\]]*\] are set none of the others can be; \[([^\]]*)\] were all set$`)

// plainWords rewords cobra's error about mutually exclusive flags, and returns other errors unchanged.
func plainWords(err error) error {
	m := flagGroup.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	return fmt.Errorf("--%s: only one of them can be given", strings.Join(strings.Fields(m[1]), " and --"))
}
