package picture

import (
	"fmt"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// letters holds the fonts for the text in a PNG. A font given by the user replaces all of them.
type letters struct {
	fonts  [4]*sfnt.Font // regular, bold, monospaced, bold monospaced
	buffer sfnt.Buffer
}

func newLetters(own []byte) (*letters, error) {
	l := &letters{}
	for i, data := range [...][]byte{goregular.TTF, gobold.TTF, gomono.TTF, gomonobold.TTF} {
		if own != nil {
			data = own
		}
		f, err := parseFont(data)
		if err != nil {
			return nil, fmt.Errorf("font: %w: expected TrueType or OpenType", err)
		}
		l.fonts[i] = f
	}
	return l, nil
}

// parseFont returns the font in data, or the first font if data is a collection of fonts.
func parseFont(data []byte) (*sfnt.Font, error) {
	collection, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	return collection.Font(0)
}

func (l *letters) of(s *shape) *sfnt.Font {
	i := 0
	if s.bold {
		i++
	}
	if s.mono {
		i += 2
	}
	return l.fonts[i]
}

// HasGlyphs reports whether a font has glyphs for all characters of text. The parameter own is the content of
// a font file; nil means the regular Go font. If own is not a valid font, HasGlyphs returns false.
func HasGlyphs(own []byte, text string) bool {
	l, err := newLetters(own)
	if err != nil {
		return false
	}
	for _, r := range text {
		if k, err := l.fonts[0].GlyphIndex(&l.buffer, r); err != nil || k == 0 {
			return false
		}
	}
	return true
}

// glyph is a letter in a line of text: its outline, in pixels relative to its origin, and the position of the
// origin.
type glyph struct {
	segments sfnt.Segments
	x        float64
}

// set lays out the text of s on a line that starts at x = 0. It calls the function use for each glyph and
// returns the width of the text. Positions and widths are in pixels; scale is the number of pixels per unit
// of the picture.
func (l *letters) set(s *shape, scale float64, use func(glyph)) (float64, error) {
	f, size := l.of(s), fixed.Int26_6(s.size*scale*64)
	x := 0.0
	for _, r := range s.text {
		k, err := f.GlyphIndex(&l.buffer, r)
		if err != nil {
			return 0, err
		}
		segments, err := f.LoadGlyph(&l.buffer, k, size, nil)
		if err != nil {
			return 0, err
		}
		use(glyph{segments, x})
		step, err := f.GlyphAdvance(&l.buffer, k, size, font.HintingNone)
		if err != nil {
			return 0, err
		}
		x += float64(step) / 64
	}
	return x, nil
}
