// Package learn renders the page /learn, an article in chapters. Each chapter has a picture of lanes that the
// reader can change. The input consists of view structs, as in package templates.
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

// Page is the data of the /learn page, an article about timing wheels.
type Page struct {
	templates.Page                 // data that all pages have
	Article        texts.Catalogue // texts of the article
	Intro          []Paragraph     // paragraphs before the first chapter
	Opening        Figure          // picture beside the introduction
	Chapters       []Chapter
	End            []Paragraph // paragraphs after the last chapter
}

// Chapter is a section with a picture and a question.
type Chapter struct {
	Name    string      // ID of the section element, and prefix of the keys of the chapter's texts
	Before  []Paragraph // paragraphs before the picture
	Try     []Paragraph // paragraphs with the controls of the picture
	After   []Paragraph // paragraphs after the picture
	Figure  Figure
	Answers int // number of answers to the question
	Right   int // number of the correct answer, counting from 1
}

// Figure is a picture of the lanes of a small scenario at one position.
type Figure struct {
	templates.Page        // data of the picture, including the states of the lanes
	Scenario       string // JSON of the scenario, which the scripts edit and load when a control changes a field
	Run            string // first digits of the digest of the run
	Timer          uint32 // ID of the timer that the text describes; 0 means none
	Called         string // name of that timer
	Rate           int    // playback rate in ticks per second
	Plays          bool   // whether the picture plays when the page is opened
}

// Paragraph is a paragraph of text. If When is "placed" or "rejected", the paragraph is shown only if the timer
// of the figure was placed or rejected, respectively. If When is "", the paragraph is always shown. Hidden
// reports whether the paragraph is hidden at first paint.
type Paragraph struct {
	When   string
	Hidden bool
	Parts  []Part
}

// Part is a part of a paragraph: plain text, a term, a link, a number from the run, a word that depends on
// such a number, or a control.
type Part struct {
	Text string // plain text, or the text of the term, link, number or word
	Term bool   // whether the part is a term that the article uses for the first time
	URL  string // target of a link; "" if the part is not a link
	// Fact is the name of a number from the run, such as "pending", if the part is that number or a word that depends
	// on it; Text is then the number or the word. Fact is "" for other parts.
	Fact    string
	Lane    int    // index of the lane to which the number named by Fact belongs
	Words   *Words // both forms of a word that depends on the number Fact; nil for other parts
	Control *Control
}

// Words holds the form of a word after the number 1 and the form after other numbers.
type Words struct{ One, Many string }

// Control is a slider or a button that changes a field of a figure's scenario, or a button that moves the
// figure's cursor.
type Control struct {
	Name   string  // name of the control; its label is the text with the key CHAPTER.NAME
	Label  string  // text of the button, or accessible name of the slider
	Path   string  // path of the scenario field that the control changes, such as "lanes.0.slots"
	Values []int64 // values of a slider; nil means all from Least to Most
	Value  int64   // current value of the field at Path
	Least  int64   // minimum value of a slider
	Most   int64   // maximum value of a slider
	Add    int64   // number that a button adds to the field, and subtracts when pressed again
	Find   string  // kind of the event to which a button moves the cursor; "" if the control changes the field at Path
}

// slides reports whether the control is a slider.
func (c *Control) slides() bool { return c.Add == 0 && c.Find == "" }

// attributes returns the attributes of a slider element. The positions of the slider are the indices of
// c.Values or, if c.Values is nil, the values themselves.
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

// wide returns the style class that reserves space for the widest value of a slider, so that the line is not
// reflowed while the slider is dragged.
func (c *Control) wide() string {
	return "wide-" + strconv.Itoa(len(texts.Count(max(c.Most, slices.Max(append(c.Values, 0)))).String()))
}

func num(n int64) string { return strconv.FormatInt(n, 10) }

// key returns the key of a text of the chapter, such as "list.ask": the chapter's name and parts, joined with dots.
func (c *Chapter) key(parts ...string) string { return c.Name + "." + strings.Join(parts, ".") }

// words returns the article's text with the given key. pairs are alternating names and values; each {name} in
// the text is replaced by the value.
func (p *Page) words(key string, pairs ...any) string { return p.Article.T(key, pairs...) }
