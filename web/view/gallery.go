package view

import (
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/templates/gallery"
)

// Gallery returns the page with all scenarios. It contains the built-in scenarios by group and, if given is not
// nil, the scenario given on the command line, which replaces a built-in scenario of the same name. page is the
// data that all pages need.
func Gallery(page templates.Page, given *program.Program) *gallery.View {
	v := &gallery.View{Page: page}
	builtins := map[string]*library.Scenario{}
	for _, b := range library.Builtins() {
		if given == nil || b.Name != given.Scenario.Name { // the file of the command line replaces it
			builtins[b.Name] = b
		}
	}
	for _, g := range library.Groups() {
		group := gallery.Group{Name: g.Name}
		for i := range g.Entries {
			if b := builtins[g.Entries[i].Name]; b != nil {
				group.Entries = append(group.Entries, builtinEntry(&g.Entries[i], b, page.Lang))
			}
		}
		if len(group.Entries) > 0 {
			v.Groups = append(v.Groups, group)
		}
	}
	own := gallery.Group{Name: "imported"}
	if given != nil {
		own.Entries = append(own.Entries, givenEntry(given.Scenario, page.Lang))
	}
	v.Groups = append(v.Groups, own)
	return v
}

// builtinEntry returns the gallery entry of the built-in scenario b. e is the entry of b in the library, with
// its thumbnail.
func builtinEntry(e *library.Entry, b *library.Scenario, lang string) gallery.Entry {
	texts := static.Messages(lang)
	out := gallery.Entry{Name: b.Name, Title: b.Title.In(lang), What: texts.T("gallery.what." + b.Name), Look: texts.T("gallery.look." + b.Name),
		Lanes: len(b.Lanes), Lane: e.Lane, At: instant(e.Tick, b.Tick), Picture: e.Thumbnail()}
	words := append([]string{b.Name, out.Title, out.What, out.Look, b.Summary.In(lang)}, b.Lanes...)
	for _, id := range b.Algorithms {
		words = append(words, id, knowledge.Title(id).In(lang))
	}
	out.Words = strings.ToLower(strings.Join(words, " "))
	return out
}

// givenEntry returns the gallery entry of a scenario that is not built in. It has the texts of the scenario and
// no picture.
func givenEntry(s *scenario.Scenario, lang string) gallery.Entry {
	title := static.Texts(lang).Called(s.Called(lang))
	return gallery.Entry{Name: s.Name, Title: title, What: s.Summary.In(lang), Lanes: len(s.Lanes),
		Words: strings.ToLower(strings.Join([]string{s.Name, title, s.Summary.In(lang)}, " "))}
}

// instant formats tick, a number of base ticks of the given length. For example, if tick is 3, the result is
// "t = 3 ms" if length is "1ms", and "t = 3 (300ms)" if length is "100ms".
func instant(tick int64, length string) string {
	text := "t\u00a0=\u00a0" + strconv.FormatInt(tick, 10)
	d, err := time.ParseDuration(length)
	switch unit := strings.TrimPrefix(length, "1"); {
	case err != nil:
		return text
	case unit == "ms" || unit == "s":
		return text + "\u00a0" + unit
	}
	return text + " (" + (time.Duration(tick) * d).String() + ")"
}
