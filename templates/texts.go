package templates

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Texts are the page's words in one language, by key. {name} in a text is
// replaced by the value given for name.
type Texts map[string]string

// T gives the text called key with its names filled in: T("waiting", "n", 3).
// A key that is missing shows itself, so that it is seen and not hidden.
func (t Texts) T(key string, pairs ...any) string {
	text, ok := t[key]
	if !ok {
		return key
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{"+fmt.Sprint(pairs[i])+"}", fmt.Sprint(pairs[i+1]))
	}
	return text
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

// placeCell is a place in the first column of the table.
func (p *Page) placeCell(l *Lane, pl *Place) string {
	switch {
	case pl.Level < 0:
		return p.Texts.T("cell.side")
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
// less than half; the scripts make elements of them.
const richPlaces = 64

// names are the names of timers, one after another.
func names(timers []Timer) string {
	list := make([]string, len(timers), len(timers)+1)
	for i := range timers {
		list[i] = timers[i].Name
	}
	return strings.Join(append(list, ""), " ")
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
