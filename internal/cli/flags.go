package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagKinds says in words what the flags of a type take.
var flagKinds = map[string]string{
	"int": "a whole number of up to 18 digits", "int64": "a whole number of up to 18 digits", "bool": "true or false", "duration": "a duration such as 90s or 2h30m",
}

// flagError tells of a fault in a flag, and where there is more about it. A value that can't
// be is told with what is expected, not with how it was parsed.
func flagError(c *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if kind, ok := flagKinds[bad.GetFlag().Value.Type()]; ok {
			err = fmt.Errorf("--%s: %q is not %s", bad.GetFlag().Name, bad.GetValue(), kind)
		}
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if near := nearest(unknown.GetSpecifiedName(), flagNames(c)); near != "" {
			err = fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	return fmt.Errorf("%w (%s --help tells what there is)", err, c.CommandPath())
}
