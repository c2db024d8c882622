package templates

import (
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// Entry is the data of the entry view: one sentence, the wheels, and a few buttons. The laboratory is another page.
type Entry struct {
	Page
	Alone bool       // whether the URL selects neither a scenario nor a position, so that the page may play by itself
	Whole bool       // whether all events of the tick Now precede the cursor
	Steps EntrySteps // positions for the buttons that move by steps
	Faces []Face     // pictures of the lanes
	Past  []Happened // last events before the cursor, in order
	Run   any        // data about the run for the scripts, sent as JSON in the element with the ID "run"
	// Events is an "events" message as JSON, sent in the element with the ID "events".
	Events any
}

// EntrySteps holds the numbers of the events to which a step forward and a step back move the cursor. A number is -1 if
// there is no such step.
type EntrySteps struct{ Back, Next int64 }

// Happened is an event of a lane, from which the sentence of the entry view is made.
type Happened struct {
	Tick        int64
	Lane        int
	Kind        string // kind as in a trace, such as "cascade"
	ID          uint32
	Name        string
	Due         int64 // due tick of the timer, or 0 if it is not known
	Level, Slot int   // place to which the event moves the timer; for a "hand" event, the slot of the hand
	FromLevel   int   // level from which a "cascade" moves the timer
	Rounds      int64 // for a "place" event, the rounds of the timer, or -1; for a "hand" event, the number of timers that wait one round less
	Late        int64 // for an "expire" event, the lateness in ticks
	Operation   bool  // whether an operation begins with the event: a "schedule" that is not a repeat, a "cancel" or a "mark"
}

// entryTexts returns the texts that the scripts of the entry view need.
func entryTexts(all Texts) Texts {
	some := Texts{}
	for key, text := range all {
		for _, start := range [...]string{"entry.", "player.", "link.", "error.", "head.", "cell."} {
			if strings.HasPrefix(key, start) {
				some[key] = text
			}
		}
	}
	return some
}

// entryAddress returns the URL of the entry view at a position, given by pairs such as "t", "4".
func (e *Entry) entryAddress(lang string, pairs ...string) string {
	return e.address(append([]string{"scenario", e.Name, "lang", lang, "view", "entry"}, pairs...)...)
}

// inLanguage returns the URL of the same page in another language.
func (e *Entry) inLanguage(lang string) string {
	if e.Alone {
		return e.at("/", lang)
	}
	return e.entryAddress(lang, e.position()...)
}

// position returns the query parameters that select the position of the cursor.
func (e *Entry) position() []string {
	if e.Now == 0 && e.Seq == 0 {
		return nil
	}
	return []string{"t", num(e.Now), "seq", num(e.Seq)}
}

// simple returns the URL of the entry view at the position of a page of the laboratory. The browser then forgets that
// the laboratory was chosen.
func (p *Page) simple() string {
	e := Entry{Page: *p}
	return e.entryAddress(p.Lang, append([]string{"remember", "1"}, e.position()...)...)
}

// laboratory returns the URL of the laboratory at the same position. The browser remembers that it was chosen.
func (e *Entry) laboratory() string {
	return e.address(append([]string{"scenario", e.Name, "lang", e.Lang, "view", "lab", "remember", "1"}, e.position()...)...)
}

// otherLanguage returns the language that the page can be changed to, and its name.
func (p *Page) otherLanguage() (lang, name string) {
	if p.Lang == "zh" {
		return "en", "English"
	}
	return "zh", "中文"
}

// entryStep is a button of the entry view that moves the cursor. Without scripts, it is a link to href.
type entryStep struct{ do, text, href string }

// tickSteps returns the two buttons that are always visible.
func (e *Entry) tickSteps() (back, next entryStep) {
	to, at := e.Now, e.Now-1
	if e.Whole {
		to = min(e.Now+1, e.Until)
	}
	back = entryStep{"tick-back", "player.tick.back", e.entryAddress(e.Lang)}
	if at >= 0 {
		back.href = e.entryAddress(e.Lang, "t", num(at))
	}
	return back, entryStep{"tick-next", "player.tick.next", e.entryAddress(e.Lang, "t", num(to))}
}

// otherSteps returns the buttons that are visible while one of them has the focus.
func (e *Entry) otherSteps() []entryStep {
	here := e.entryAddress(e.Lang, e.position()...)
	toStep := func(seq int64) string {
		switch {
		case seq < 0:
			return here
		case seq == 0:
			return e.entryAddress(e.Lang)
		}
		return e.entryAddress(e.Lang, "seq", num(seq))
	}
	next := here
	if e.Seq < e.last() {
		next = e.entryAddress(e.Lang, "seq", num(e.Seq+1))
	}
	return []entryStep{
		{"restart", "player.restart", e.entryAddress(e.Lang)},
		{"step-back", "player.step.back", toStep(e.Steps.Back)},
		{"event-back", "player.event.back", toStep(max(e.Seq-1, 0))},
		{"event-next", "player.event.next", next},
		{"step-next", "player.step.next", toStep(e.Steps.Next)},
		{"fast", "player.fast", e.entryAddress(e.Lang, "t", num(e.Until))},
	}
}

// last returns a number of events after which there is no further step.
func (e *Entry) last() int64 {
	if e.Steps.Next < 0 {
		return e.Seq
	}
	return e.Steps.Next
}

// called returns the name of a lane: the title of its algorithm and, if another lane has the same algorithm, its ID.
func (e *Entry) called(l *Lane) string {
	same := 0
	for i := range e.Lanes {
		if e.Lanes[i].Title == l.Title {
			same++
		}
	}
	if same > 1 {
		return l.Title + " · " + l.ID
	}
	return l.Title
}

// workKinds lists the kinds of work in the work strip: the class of a block and its share of a cost.
var workKinds = []struct {
	class string
	of    func(*Cost) int64
}{
	{"look", func(c *Cost) int64 { return c.Slots }},
	{"touch", func(c *Cost) int64 { return c.Touched }},
	{"compare", func(c *Cost) int64 { return c.Compared }},
	{"move", func(c *Cost) int64 { return c.Moved }},
}

// blocksMax is the maximum number of units of work that are drawn as blocks.
const blocksMax = 24

// workBlocks returns the classes of the blocks of a lane's work strip, one per unit of work, or nil if there are more
// than blocksMax.
func workBlocks(c *Cost) []string {
	if c.Slots+c.Touched+c.Compared+c.Moved > blocksMax {
		return nil
	}
	var list []string
	for _, k := range workKinds {
		list = append(list, slices.Repeat([]string{k.class}, int(k.of(c)))...)
	}
	return list
}

// delayOf returns a delay in ticks with the unit of a tick, such as "15 s".
func (e *Entry) delayOf(ticks int64) any {
	if unit := tickUnit(e.Tick); unit != "" {
		return num(ticks) + unit
	}
	return texts.Of("entry.ticks", "n", ticks)
}

// passed returns the position of the cursor on the track, in percent of the track's length.
func (e *Entry) passed() string {
	return fix(100*float64(e.Now)/float64(max(e.Until, 1))) + "%"
}
