package templates

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// Texts holds the texts of the page in one language.
type Texts = texts.Catalogue

// address returns the URL of the page with the query given by pairs, which are alternating names and values.
// Pairs with an empty value are omitted. Links and forms with such URLs work without scripts.
func (p *Page) address(pairs ...string) string {
	q := make([]string, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q = append(q, pairs[i]+"="+url.QueryEscape(pairs[i+1]))
		}
	}
	return p.Link("/?" + strings.Join(q, "&"))
}

// here returns the URL of the page at the cursor's position, in the language lang.
func (p *Page) here(lang string) string {
	pairs := []string{"scenario", p.Name, "lang", lang}
	if p.Now != 0 || p.Seq != 0 {
		pairs = append(pairs, "t", num(p.Now), "seq", num(p.Seq))
	}
	if p.Chosen {
		pairs = append(pairs, "view", p.Layout)
		if p.Layout == StageLayout {
			pairs = append(pairs, "lane", p.Large)
		}
	}
	return p.address(pairs...)
}

// asset returns the URL of the named file in static/.
func (p *Page) asset(name string) string {
	if p.Assets == nil {
		return p.Base + "/static/" + name
	}
	return p.Base + "/" + p.Assets(name)
}

// tableHead returns what the first column of a lane's table contains: "ring" (level and slot), "slot", "list"
// or "heap".
func tableHead(l *Lane) string {
	if l.Shape == "ring" && rings(l) == 1 {
		return "slot"
	}
	return l.Shape
}

// side returns what level −1 of a lane represents: "pending" for a queue of timers that have not been placed
// yet, or "side" for a side list.
func (l *Lane) side() string { return cmp.Or(knowledge.TraitsOf(l.Algorithm).Side, "side") }

// sided reports whether the corner of a lane's picture shows level −1: a side list, or a queue of timers that have
// not been placed yet.
func sided(l *Lane) bool {
	return l.Shape == "ring" && !inRows(l) && !inSlices(l) && slices.ContainsFunc(l.Levels, func(v Level) bool { return v.Level < 0 })
}

// placeCell returns the text in the first column of a lane's table, in the row for the place pl.
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

// timerTitle returns the tooltip of timer t: its name, its due tick, its remaining rounds if it has any, its key if that
// is stale, and whether it is cancelled but still in its slot.
func (p *Page) timerTitle(t *Timer) string {
	key := "timer.due"
	if t.HasRounds {
		key = "timer.rounds"
	}
	title := p.Texts.T(key, "name", t.Name, "due", t.Due, "rounds", t.Rounds)
	if t.Stale {
		title += " · " + p.Texts.T("timer.stale", "key", t.Key)
	}
	if t.Marked {
		title += " · " + p.Texts.T("timer.marked")
	}
	return title
}

// placesRich is the maximum number of places of a lane for which the HTML of the lane's table contains an element with
// a tooltip for each timer. If a lane has more places, the HTML contains the names of its timers as plain text, which
// is less than half as long, except in places with a cancelled timer (see anyMarked). The scripts of the page then
// create the elements for the timers under the pointer.
const placesRich = 64

// gap is the separator of timer names, an em space. It is white space for programs that read the text, and
// visibly wider than the spaces that names may contain.
const gap = "\u2003"

// names returns the names of timers, separated by gap.
func names(timers []Timer) string {
	list := make([]string, len(timers))
	for i := range timers {
		list[i] = timers[i].Name
	}
	return strings.Join(list, gap)
}

// anyMarked reports whether any of the timers is cancelled but still in its slot. The name of such a timer is struck
// through, so the names cannot be shown as plain text.
func anyMarked(timers []Timer) bool {
	return slices.ContainsFunc(timers, func(t Timer) bool { return t.Marked })
}

// story returns the sentence that describes the cursor's position.
func (p *Page) story() string {
	if p.Seq == 0 && p.Now == 0 {
		return p.Texts.T("story.start")
	}
	return p.Texts.T("story.event", "tick", p.Now, "seq", p.Seq)
}

func num(n int64) string { return strconv.FormatInt(n, 10) }

// htmlLang returns the value of the page's lang attribute for the language lang.
func htmlLang(lang string) string {
	if lang == "zh" {
		return "zh-Hans"
	}
	return "en"
}
