package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// The sentence of the entry view says what happened last before the cursor. static/js/story/instant.js makes the same sentences
// from the same texts.

// phrase is a part of a sentence: a text or, if Timer is not nil, a timer, which is shown as a chip.
type phrase struct {
	Text  string
	Timer *Happened
}

// class returns the style class of the chip of a timer.
func (h *Happened) class() string {
	return "chip c" + strconv.Itoa(int((h.ID+colours-1)%colours))
}

// chipMark encloses the index of a timer in a text.
const chipMark = "\x00"

// sentence returns the sentence for the cursor. old is whether what it says happened before the previous tick.
func (e *Entry) sentence() (parts []phrase, old bool) {
	end := len(e.Past)
	for end > 0 {
		tick := e.Past[end-1].Tick
		from := end
		for from > 0 && e.Past[from-1].Tick == tick {
			from--
		}
		if parts := e.sentenceOf(e.Past[from:end]); parts != nil {
			return parts, e.Now-tick > 1
		}
		end = from
	}
	return []phrase{{Text: e.Texts.T("entry.say.nothing")}}, false
}

// sentenceOf returns the sentence for events, which are of one tick: that of its last operation or, if it has none, of
// its most important kind of event. It returns nil if there is nothing to say.
func (e *Entry) sentenceOf(events []Happened) []phrase {
	for _, h := range slices.Backward(events) {
		if h.Operation {
			return e.operation(h, events)
		}
	}
	if told := kindIn(events, "cascade"); told != nil {
		return e.cascades(told)
	}
	if told := kindIn(events, "expire"); told != nil {
		return e.expiries(told)
	}
	for i := range events {
		if h := &events[i]; h.Kind == "hand" && h.Rounds > 0 {
			return e.rounds(h)
		}
	}
	return nil
}

func kindIn(events []Happened, kind string) (list []Happened) {
	for _, h := range events {
		if h.Kind == kind {
			list = append(list, h)
		}
	}
	return list
}

// operation returns the sentence for the operation with the event h. events are those of its tick.
func (e *Entry) operation(h Happened, events []Happened) []phrase {
	chip := []Happened{h}
	if h.Kind != "schedule" {
		return e.say(chip, "entry.say.cancel")
	}
	for _, o := range events {
		if !o.Operation || o.Kind == "schedule" || o.ID == h.ID || o.Name != h.Name || o.Due == 0 {
			continue
		}
		key := "entry.say.same"
		switch {
		case h.Due > o.Due:
			key = "entry.say.later"
		case h.Due < o.Due:
			key = "entry.say.sooner"
		}
		return e.say([]Happened{o}, key, "at", e.delayOf(h.Due))
	}
	var outcomes []string
	slot, everywhere := -1, true
	for i := range events {
		o := &events[i]
		if o.ID != h.ID {
			continue
		}
		m := texts.Message{}
		switch {
		case o.Kind == "reject":
			m = texts.Of("entry.out.reject")
		case o.Kind != "place":
			continue
		case e.Lanes[o.Lane].Shape != "ring":
			everywhere = false
			continue
		case o.Level == 1:
			m = texts.Of("entry.out.level.one")
		case o.Level > 0:
			m = texts.Of("entry.out.level", "n", o.Level)
		case o.Rounds == 1:
			m = texts.Of("entry.out.round.one")
		case o.Rounds > 0:
			m = texts.Of("entry.out.rounds", "n", o.Rounds)
		default:
			if slot < 0 {
				slot = o.Slot
			}
			everywhere = everywhere && slot == o.Slot
			continue
		}
		if words := e.Texts.Say(m); !slices.Contains(outcomes, words) {
			outcomes = append(outcomes, words)
		}
	}
	delay := e.delayOf(h.Due - h.Tick)
	switch {
	case len(outcomes) > 0:
		return e.say(chip, "entry.say.far", "delay", delay, "outcomes", e.alternatives(outcomes))
	case slot >= 0 && everywhere && len(e.Lanes) > 1:
		return e.say(chip, "entry.say.slots", "delay", delay, "slot", slot)
	case slot >= 0 && everywhere:
		return e.say(chip, "entry.say.slot", "delay", delay, "slot", slot)
	}
	return e.say(chip, "entry.say.start", "delay", delay)
}

// chipsMax is the maximum number of timers that a sentence names.
const chipsMax = 4

func (e *Entry) cascades(events []Happened) []phrase {
	timers := distinct(events)
	if slices.ContainsFunc(events, func(h Happened) bool { return e.Lanes[h.Lane].Shape != "ring" }) {
		switch {
		case len(timers) > chipsMax:
			return e.say(nil, "entry.say.moved.many", "n", len(timers))
		case len(timers) > 1:
			return e.say(timers, "entry.say.moved")
		}
		return e.say(timers, "entry.say.moved.one")
	}
	if len(timers) > chipsMax {
		return e.say(nil, "entry.say.cascade.many", "n", len(timers))
	}
	var slots []int
	for _, h := range events {
		if !slices.Contains(slots, h.Slot) {
			slots = append(slots, h.Slot)
		}
	}
	key := "entry.say.cascade.slots"
	switch {
	case len(timers) == 1 && len(slots) == 1:
		key = "entry.say.cascade.one"
	case len(slots) == 1:
		key = "entry.say.cascade.slot"
	}
	return e.say(timers, key, "slots", texts.NewList("entry.and", slots))
}

func (e *Entry) expiries(events []Happened) []phrase {
	timers := distinct(events)
	h := timers[len(timers)-1]
	lanes, late := 0, int64(0)
	for _, o := range events {
		if o.ID == h.ID {
			lanes++
			if o.Late != 0 {
				late = o.Late
			}
		}
	}
	if len(timers) > chipsMax {
		return e.say(nil, "entry.say.fire.many", "n", len(timers))
	}
	key := "entry.say.fire"
	switch {
	case late > 0:
		key = "entry.say.fire.late"
	case late < 0:
		key = "entry.say.fire.early"
	}
	every, some := "entry.in.all", "entry.in.some"
	if slices.ContainsFunc(e.Lanes, func(l Lane) bool { return l.Shape != "ring" }) {
		every, some = "entry.in.all.lanes", "entry.in.some.lanes"
	}
	where := any("")
	if len(e.Lanes) > 1 {
		where = texts.Of(some, "n", lanes, "all", len(e.Lanes))
		if lanes >= len(e.Lanes) {
			where = texts.Of(every, "n", lanes)
		}
	}
	return e.say([]Happened{h}, key, "where", where, "late", e.delayOf(max(late, -late)))
}

// rounds returns the sentence for a hand event h that takes a round from timers. At the cursor's tick, it names them.
func (e *Entry) rounds(h *Happened) []phrase {
	var timers []Happened
	if l := &e.Lanes[h.Lane]; h.Tick == e.Now {
		for i := range l.Places {
			if pl := &l.Places[i]; pl.Level == h.Level && pl.Slot == h.Slot {
				for _, t := range pl.Timers {
					timers = append(timers, Happened{ID: t.ID, Name: t.Name, Due: t.Due})
				}
			}
		}
	}
	if len(timers) == 0 || len(timers) > chipsMax {
		return e.say(nil, "entry.say.rounds.many", "n", h.Rounds)
	}
	return e.say(timers, "entry.say.rounds")
}

// distinct returns the first event of each timer.
func distinct(events []Happened) (list []Happened) {
	for _, h := range events {
		if !slices.ContainsFunc(list, func(o Happened) bool { return o.ID == h.ID }) {
			list = append(list, h)
		}
	}
	return list
}

// say returns the text with the given key, with the timers in place of its argument {timers}.
func (e *Entry) say(timers []Happened, key string, pairs ...any) []phrase {
	marks := make([]string, len(timers))
	for i := range timers {
		marks[i] = chipMark + strconv.Itoa(i) + chipMark
	}
	text := e.Texts.T(key, append(pairs, "timers", texts.NewList("entry.and", marks))...)
	var parts []phrase
	for i, piece := range strings.Split(text, chipMark) {
		if i%2 == 0 {
			if piece != "" {
				parts = append(parts, phrase{Text: piece})
			}
			continue
		}
		if n, err := strconv.Atoi(piece); err == nil && n < len(timers) {
			parts = append(parts, phrase{Timer: &timers[n]})
		}
	}
	return parts
}

// alternatives joins words, such as "rejected, 2 more rounds, or 1 level up".
func (e *Entry) alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], e.Texts.T("entry.comma")) + e.Texts.T("entry.or") + words[last]
}
