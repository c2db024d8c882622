package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/view"
)

// pictureFlags holds the flags that select the picture to draw and its appearance. at and seq select the
// moment that the picture shows: the end of the tick at, if at is not -1; the moment after event number seq,
// if seq is not -1; or the moment before the first event, if both are -1.
type pictureFlags struct {
	lane, theme, lang string
	at, seq           int64
	size              int // width of the picture in pixels
}

// pictureOnly lists the flags that only the format svg accepts.
var pictureOnly = []string{"lane", "at", "seq", "size", "theme", "lang"}

func (f *pictureFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.lane, "lane", "", "picture: `ID` of the lane; the first by default")
	flags.Int64Var(&f.at, "at", -1, "picture: at the end of `TICK`")
	flags.Int64Var(&f.seq, "seq", -1, "picture: directly after event `N`")
	flags.IntVar(&f.size, "size", picture.WidthDefault, fmt.Sprintf("picture: width in `PIXELS`, %d to %d", picture.WidthMin, picture.WidthMax))
	flags.StringVar(&f.theme, "theme", picture.Themes()[0], "picture: its `THEME`, one of "+strings.Join(picture.Themes(), ", "))
	flags.StringVar(&f.lang, "lang", "en", "picture: `LANG` of its text, en or zh")
	c.MarkFlagsMutuallyExclusive("at", "seq")
	_ = c.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(picture.Themes(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(static.Languages, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("lane", completeLane)
}

// check returns an error if the user has set a flag that the format does not accept, or if a flag has an
// invalid value.
func (f *pictureFlags) check(c *cobra.Command, format string) error {
	if format != formatSVG {
		for _, name := range pictureOnly {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s: --as %s takes no --%s; it is for %s", name, format, name, formatSVG)
			}
		}
		return nil
	}
	for _, name := range []string{"at", "seq"} {
		if n, err := c.Flags().GetInt64(name); err != nil || n < 0 && c.Flags().Changed(name) {
			return fmt.Errorf("--%s: %d is not a whole number, 0 or more", name, n)
		}
	}
	switch {
	case f.size < picture.WidthMin || f.size > picture.WidthMax:
		return fmt.Errorf("--size: %d is not between %d and %d", f.size, picture.WidthMin, picture.WidthMax)
	case !slices.Contains(picture.Themes(), f.theme):
		return fmt.Errorf("--theme: %q is not one of %s", f.theme, strings.Join(picture.Themes(), ", "))
	case !slices.Contains(static.Languages, f.lang):
		return fmt.Errorf("--lang: %q is not one of %s", f.lang, strings.Join(static.Languages, ", "))
	}
	return nil
}

func (f *pictureFlags) draw(ctx context.Context, w io.Writer, run *sim.Run) error {
	at := view.LaneAt{Run: run, Lane: f.lane, At: sim.EndOf(f.at), Lang: f.lang}
	if f.seq >= 0 {
		at.At = sim.After(f.seq)
	}
	err := view.LanePicture(ctx, w, at, picture.Options{Width: f.size, Theme: f.theme})
	return asFlag(err)
}

// asFlag returns err with the name of a field at the start of its message replaced with the flag that sets
// the field, for example "t: " with "--at: ".
func asFlag(err error) error {
	if err == nil {
		return nil
	}
	for path, flag := range map[string]string{"t: ": "--at: ", "seq: ": "--seq: ", "lane: ": "--lane: "} {
		if said, ok := strings.CutPrefix(err.Error(), path); ok {
			return errors.New(flag + said)
		}
	}
	return err
}
