package templates

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Texts are the page's words in one language, by key. {name} in a text is
// replaced by the value given for name, {name|timer|timers} by the first word where
// that is 1, else by the second.
type Texts map[string]string

// hole is a place in a text that is filled in. static/js/texts.js has the same.
var hole = regexp.MustCompile(`\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}`)

// T gives the text called key with its names filled in: T("waiting", "n", 3).
// A key that is missing shows itself, so that it is seen and not hidden.
func (t Texts) T(key string, pairs ...any) string {
	text, ok := t[key]
	if !ok {
		return key
	}
	if len(pairs) == 0 {
		return text
	}
	return hole.ReplaceAllStringFunc(text, func(whole string) string { return fill(whole, pairs) })
}

// fill gives what a hole is filled with; itself where its name has no value.
func fill(whole string, pairs []any) string {
	part := hole.FindStringSubmatch(whole)
	for i := 0; i+1 < len(pairs); i += 2 {
		switch value := fmt.Sprint(pairs[i+1]); {
		case pairs[i] != part[1]:
			continue
		case !strings.Contains(whole, "|"):
			return value
		case value == "1":
			return part[2]
		}
		return part[3]
	}
	return whole
}

// Called is what the page calls a scenario: a file may give it no title, and no name.
func (t Texts) Called(title, name string) string {
	return cmp.Or(title, name, t["scenario.unnamed"])
}

// address is the page's address with the given query, names and values in turn;
// empty values are left out. Links and forms made of it work without scripts.
func (p *Page) address(pairs ...string) string {
	q := make([]string, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q = append(q, pairs[i]+"="+url.QueryEscape(pairs[i+1]))
		}
	}
	return p.Base + "/?" + strings.Join(q, "&")
}

// here is the address of what is shown, in another language.
func (p *Page) here(lang string) string {
	pairs := []string{"scenario", p.Name, "lang", lang}
	if p.Now != 0 || p.Seq != 0 {
		pairs = append(pairs, "t", num(p.Now), "seq", num(p.Seq))
	}
	return p.address(pairs...)
}

// asset is the address of a file of static/.
func (p *Page) asset(name string) string {
	if p.Assets == nil {
		return p.Base + "/static/" + name
	}
	return p.Base + "/" + p.Assets(name)
}

// tableHead says what the first column of a lane's table tells: "ring" level
// and slot, "slot", "list" or "heap".
func tableHead(l *Lane) string {
	if l.Shape == "ring" && rings(l) == 1 {
		return "slot"
	}
	return l.Shape
}

// side is what level -1 of a lane is: netty's pending queue, or a side list.
func (l *Lane) side() string {
	if l.Algorithm == "netty" {
		return "pending"
	}
	return "side"
}

// sided tells whether a picture has the name of a side list or queue in its corner.
func sided(l *Lane) bool {
	return l.Shape == "ring" && !inRows(l) && !inSlices(l) && slices.ContainsFunc(l.Levels, func(v Level) bool { return v.Level < 0 })
}

// placeCell is a place in the first column of the table.
func (p *Page) placeCell(l *Lane, pl *Place) string {
	switch {
	case inSlices(l) && pl.Level < 0:
		return p.Texts.T("redis.beside." + strconv.Itoa(pl.Slot))
	case inSlices(l):
		return secondName(pl.Slot)
	case pl.Level < 0:
		return p.Texts.T("cell." + l.side())
	case l.Shape == "list":
		return p.Texts.T("cell.list")
	case tableHead(l) == "ring":
		return strconv.Itoa(pl.Level) + " · " + strconv.Itoa(pl.Slot)
	}
	return strconv.Itoa(pl.Slot)
}

// timerTitle tells a timer in words.
func (p *Page) timerTitle(t *Timer) string {
	key := "timer.due"
	if t.HasRounds {
		key = "timer.rounds"
	}
	title := p.Texts.T(key, "name", t.Name, "due", t.Due, "rounds", t.Rounds)
	if t.Marked {
		title += " · " + p.Texts.T("timer.marked")
	}
	return title
}

// richPlaces is how many places a table has at most whose timers are elements
// with titles. Past that the first paint names them in plain text, to be sent in
// less than half; the scripts make elements of those that are pointed at.
const richPlaces = 64

// gap stands between two names of timers, which may hold spaces themselves: an em
// space, that is seen as one gap and is white space to those who read the text.
const gap = "\u2003"

// names are the names of timers, one after another.
func names(timers []Timer) string {
	list := make([]string, len(timers))
	for i := range timers {
		list[i] = timers[i].Name
	}
	return strings.Join(list, gap)
}

// anyMarked tells whether a timer among those is cancelled and still in place:
// its name is an element of its own, struck through.
func anyMarked(timers []Timer) bool {
	return slices.ContainsFunc(timers, func(t Timer) bool { return t.Marked })
}

// story is the sentence for the cursor as it stands.
func (p *Page) story() string {
	if p.Seq == 0 && p.Now == 0 {
		return p.Texts.T("story.start")
	}
	return p.Texts.T("story.event", "tick", p.Now, "seq", p.Seq)
}

func num(n int64) string { return strconv.FormatInt(n, 10) }

// htmlLang is the value of the page's lang attribute.
func htmlLang(lang string) string {
	if lang == "zh" {
		return "zh-Hans"
	}
	return "en"
}
