// Package learn renders the page /learn: an article in chapters, each with a picture of lanes that
// the reader can change. Its input is its own view structs, as in package templates.
//
// Start reading at article.templ. static/js/article reads the data attributes that it writes.
package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
)

// Page is the article.
type Page struct {
	templates.Page                 // common to all pages
	Article        texts.Catalogue // its texts
	Intro          []Paragraph
	Chapters       []Chapter
	End            []Paragraph
}

// Chapter is a section with a picture and a question.
type Chapter struct {
	Name    string      // id of its section
	Before  []Paragraph // before the picture
	Try     []Paragraph // with the controls of the picture
	After   []Paragraph
	Figure  Figure
	Answers int // to the question, 1 to Answers
	Right   int // the right one
}

// Figure is a picture of the lanes of a small scenario at one instant.
type Figure struct {
	templates.Page        // the lanes, and the instant
	Scenario       string // JSON; the page changes it and opens the changed one
	Timer          uint32 // id of the timer that the text follows; 0: none
	Rate           int    // ticks a second at which it plays
}

// Paragraph is a paragraph of text. If When is set, the paragraph is only shown if that is what happened to
// the timer that the text follows: "placed" or "rejected".
type Paragraph struct {
	When   string
	Hidden bool
	Parts  []Part
}

// Part is a part of a paragraph: plain text, a term, a link, a figure of the run, or a control.
type Part struct {
	Text    string // plain, or the words of the others
	Term    bool   // the first use of a term
	URL     string // of a link
	Fact    string // name of a figure of the run, whose value is in Text
	Lane    int    // of the figure
	Words   *Words // a word that depends on the figure, which is in Text
	Control *Control
}

// Words holds the forms of a word after 1 and after other numbers.
type Words struct{ One, Many string }

// Control changes the scenario or the instant of a figure.
type Control struct {
	Name   string  // also the end of the key of its label
	Label  string  // for a slider, what it sets; for a button, what it does
	Path   string  // of the field of the scenario: "lanes.0.slots"
	Values []int64 // of a slider; without it, all from Least to Most
	Value  int64   // now
	Least  int64   // of the field
	Most   int64   // of the field
	Add    int64   // a button adds this to the field, and takes it away again
	Find   string  // a button moves the cursor to the next event of this kind
}

// slides reports whether the control is a slider.
func (c *Control) slides() bool { return c.Add == 0 && c.Find == "" }

// attributes returns the attributes of a slider. Its positions are the indices of Values, or the values
// themselves.
func (c *Control) attributes() templ.Attributes {
	if c.Values == nil {
		return templ.Attributes{"min": num(c.Least), "max": num(c.Most), "value": num(c.Value)}
	}
	words := make([]string, len(c.Values))
	for i, v := range c.Values {
		words[i] = num(v)
	}
	return templ.Attributes{"min": "0", "max": strconv.Itoa(len(words) - 1), "value": strconv.Itoa(slices.Index(c.Values, c.Value)), "data-values": strings.Join(words, " ")}
}

// wide returns the class that reserves room for the widest value of a slider, so that the line does not
// change while the slider is dragged.
func (c *Control) wide() string {
	return "wide-" + strconv.Itoa(len(texts.Count(max(c.Most, slices.Max(append(c.Values, 0)))).String()))
}

func num(n int64) string { return strconv.FormatInt(n, 10) }

// key returns the key of a text of the chapter, such as "list.ask".
func (c *Chapter) key(parts ...string) string { return c.Name + "." + strings.Join(parts, ".") }

// words returns a text of the article.
func (p *Page) words(key string, pairs ...any) string { return p.Article.T(key, pairs...) }
