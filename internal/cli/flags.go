package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagKinds says in words what the flags of a type take.
var flagKinds = map[string]string{
	"stringToString": "a list such as at=process_at,id=name", "float64": "a number",
	"int": "a whole number of up to 18 digits", "int64": "a whole number of up to 18 digits", "bool": "true or false", "duration": "a duration such as 90s or 2h30m",
}

// flagError describes a fault in a flag, and where the flags are listed. Of a wrong value it
// says what is expected, not how it was parsed.
func flagError(c *cobra.Command, err error) error {
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

// unknownFlag names the flag that is most like one that a command does not have.
func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	name, shorthands := unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames()
	err := fmt.Errorf("%s is not a flag of %s", givenFlag(name, shorthands), c.Name())
	if near := nearest(name, flagNames(c)); near != "" && shorthands == "" {
		err = fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return err
}

// givenFlag is a flag as it was given: --name, or a letter of several such as -xyz.
func givenFlag(name, shorthands string) string {
	if shorthands == "" {
		return "--" + name
	}
	return "-" + name
}

// flagGroup is how cobra says that flags exclude each other.
var flagGroup = regexp.MustCompile(`^if any flags in the group \[[^\]]*\] are set none of the others can be; \[([^\]]*)\] were all set$`)

// plainWords replaces cobra's wording of flags that exclude each other.
func plainWords(err error) error {
	m := flagGroup.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	return fmt.Errorf("--%s: only one of them can be given", strings.Join(strings.Fields(m[1]), " and --"))
}
