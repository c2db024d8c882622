package picture

import (
	"fmt"
	"image/color"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/static"
)

// palette maps the CSS custom properties of a theme, without the leading dashes, to colours.
type palette map[string]color.NRGBA

// get returns the named colour, or magenta if there is none.
func (p palette) get(name string) color.NRGBA {
	if c, ok := p[name]; ok {
		return c
	}
	return color.NRGBA{R: 0xff, B: 0xff, A: 0xff}
}

// sheets maps each theme to its style sheet and to the selector of the rule that sets its properties. The
// other themes override properties of "light".
var sheets = map[string]struct{ file, rule string }{
	"light":    {"css/colours.css", ":root {"},
	"dark":     {"css/colours.css", ":root {"},
	"contrast": {"css/themes.css", `:root[data-theme="contrast"] {`},
}

// property matches a colour of one theme, or of light and of dark.
var property = regexp.MustCompile(`--([a-z0-9-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6}))?`)

// paletteOf returns the colours of the named theme, read from the style sheets of the page.
func paletteOf(theme string) (palette, error) {
	colours := palette{}
	for _, name := range []string{"light", theme} {
		from := sheets[name]
		data, err := fs.ReadFile(static.FS(), from.file)
		if err != nil {
			return nil, err
		}
		_, rule, ok := strings.Cut(string(data), from.rule)
		if !ok {
			return nil, fmt.Errorf("%s has no rule %q", from.file, from.rule)
		}
		rule, _, _ = strings.Cut(from.rule+rule, "}")
		for _, m := range property.FindAllStringSubmatch(rule, -1) {
			if theme == "dark" && m[3] != "" {
				m[2] = m[3]
			}
			colours[m[1]] = hex(m[2])
		}
	}
	for i, c := range timerColours {
		colours["timer-"+strconv.Itoa(i)], colours["timer-ink-"+strconv.Itoa(i)] = hex(c.disc), hex(c.ink)
	}
	return colours, nil
}

// timerColours are the fill and text colours of timers with the CSS classes c0 to c5, the palette of Okabe
// and Ito. They are the same in every theme.
var timerColours = [...]struct{ disc, ink string }{
	{"#0072b2", "#ffffff"}, {"#e69f00", "#111111"}, {"#009e73", "#111111"}, {"#cc79a7", "#111111"}, {"#56b4e9", "#111111"}, {"#f0e442", "#111111"},
}

// hex parses text of the form "#rrggbb".
func hex(text string) color.NRGBA {
	n, _ := strconv.ParseUint(text[1:], 16, 32) // matched by the pattern of the properties
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}
}

// heat returns the colour of the heat scale for share, a number from 0 to 1. The colour for 0 differs from
// that of an empty slot. static/js/core/colours.js mixes the colours in the same way.
func (p palette) heat(share float64) color.NRGBA {
	from, to := p.get("heat-0"), p.get("heat-1")
	part := 0.12 + 0.88*share
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part + 0.5) }
	return color.NRGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 0xff}
}
