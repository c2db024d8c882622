package pages

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/templates/learn"
)

// markup matches the parts of a text that are not plain text:
//
//   - a control or a number from the run: {name} or {name@lane}
//   - a word in the singular or plural, depending on such a number: {name|one|many} or {name@lane|one|many}
//   - a term: *term*
//   - a link: [words](/path)
var markup = regexp.MustCompile(`\{(\w+)(?:@(\w+))?(?:\|([^|}]*)\|([^|}]*))?\}|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)`)

// writer converts the texts of one chapter to paragraphs.
type writer struct {
	texts    texts.Catalogue
	page     *templates.Page // page that contains the text
	lang     string
	chapter  string   // name of the chapter
	lanes    []string // IDs of the lanes
	facts    []facts  // facts[i] holds the facts about the lane with the ID lanes[i]
	controls []learn.Control
}

// numbered returns the paragraphs with the texts whose keys are stem.1, stem.2 and so on, up to the first key without
// a text.
func (w *writer) numbered(stem string) (list []learn.Paragraph) {
	for n := 1; ; n++ {
		text, ok := w.texts[stem+"."+strconv.Itoa(n)]
		if !ok {
			return list
		}
		list = append(list, learn.Paragraph{Parts: w.parts(text)})
	}
}

// tries returns the paragraphs that contain the controls, followed by at most two others: one that is shown
// if the timer that the text describes was placed, and one that is shown if it was rejected.
func (w *writer) tries() []learn.Paragraph {
	stem := w.chapter + ".try"
	list := w.numbered(stem)
	for _, fate := range []string{fatePlaced, fateRejected} {
		if text, ok := w.texts[stem+"."+fate]; ok {
			list = append(list, learn.Paragraph{When: fate, Hidden: fate != w.facts[0].fate, Parts: w.parts(text)})
		}
	}
	return list
}

// parts splits text at its markup into parts: plain texts, terms, links, controls, numbers from the run, and words that
// depend on such numbers.
func (w *writer) parts(text string) (list []learn.Part) {
	end := 0
	for _, m := range markup.FindAllStringSubmatchIndex(text, -1) {
		if end < m[0] {
			list = append(list, learn.Part{Text: text[end:m[0]]})
		}
		list = append(list, w.part(groups(text, m)))
		end = m[1]
	}
	if end < len(text) {
		list = append(list, learn.Part{Text: text[end:]})
	}
	return list
}

// groups returns the text of each group of a match of the regular expression markup. m contains the offsets of the
// groups in text. Element 0 of the result is the whole match, and elements 1 to 7 are the groups name, lane, one, many,
// term, words and path; a group that is not in the match is "".
func groups(text string, m []int) (g [8]string) {
	for i := range g {
		if m[2*i] >= 0 {
			g[i] = text[m[2*i]:m[2*i+1]]
		}
	}
	return g
}

// part converts a match of the regular expression markup to a part of a paragraph. g contains the groups
// of the match, as returned by the function groups.
func (w *writer) part(g [8]string) learn.Part {
	name, lane := g[1], max(0, slices.Index(w.lanes, g[2]))
	switch {
	case g[5] != "":
		return learn.Part{Text: g[5], Term: true}
	case g[6] != "":
		return learn.Part{Text: g[6], URL: w.link(g[7])}
	case g[4] != "": // a word
		words := &learn.Words{One: g[3], Many: g[4]}
		if w.facts[lane].value[name] == 1 {
			return learn.Part{Text: words.One, Fact: name, Lane: lane, Words: words}
		}
		return learn.Part{Text: words.Many, Fact: name, Lane: lane, Words: words}
	}
	if i := slices.IndexFunc(w.controls, func(c learn.Control) bool { return c.Name == name }); i >= 0 {
		return learn.Part{Control: &w.controls[i]}
	}
	return learn.Part{Text: w.facts[lane].text(name), Fact: name, Lane: lane}
}

// link returns the URL of another page of this server, in the language of the text. path is relative to the
// base path and may have a query.
func (w *writer) link(path string) string {
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return w.page.Link(path + separator + "lang=" + w.lang)
}
