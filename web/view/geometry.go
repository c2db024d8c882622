package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// geometryWords describes the levels of a lane, such as "3 levels × 3 slots"; turnWords has their lengths. The
// function of the same name in static/js/state/words.js does the same.
func geometryWords(info *algorithms.Facts, levels []wheel.Level, in texts.Catalogue) string {
	switch {
	case info.Algorithm == "list":
		return in.T("geometry.unordered")
	case info.Shape != wheel.ShapeRing:
		return in.T("geometry."+string(info.Shape), "arity", info.Arity)
	}
	words := slotWords(levels, in)
	if !slices.ContainsFunc(levels, func(l wheel.Level) bool { return l.Level < 0 }) {
		return words
	}
	if knowledge.TraitsOf(info.Algorithm).Side == "pending" {
		return words + " · " + in.T("place.pending")
	}
	return words + " · " + in.T("place.side")
}

// slotWords describes the number of levels and of their slots, such as "3 levels × 8 slots".
func slotWords(levels []wheel.Level, in texts.Catalogue) string {
	var sizes []string
	for _, l := range levels {
		if l.Level >= 0 {
			sizes = append(sizes, fmt.Sprint(l.Slots))
		}
	}
	shown := sizes
	if len(slices.Compact(slices.Clone(sizes))) == 1 {
		shown = sizes[:1]
	}
	key := "geometry.levels"
	if len(sizes) == 1 {
		key = "geometry.slots"
	}
	return in.T(key, "levels", len(sizes), "slots", strings.Join(shown, " / "))
}

// widthsShown is the maximum number of widths that are listed in full. Of more widths, only the first
// two and the last are listed. It must equal WIDTHS_SHOWN in static/js/state/words.js.
const widthsShown = 4

// turnWords describes how long the slots and the turns of all levels of a ring are, such as "1 / 10 s per
// slot, 10 / 100 s per turn". tick is the length of a base tick. It returns "" for other shapes. The function of
// the same name in static/js/state/words.js does the same.
func turnWords(info *algorithms.Facts, levels []wheel.Level, tick string, in texts.Catalogue) string {
	if info.Shape != wheel.ShapeRing {
		return ""
	}
	var slots, turns []string
	for _, l := range levels {
		if l.Level < 0 {
			continue
		}
		slot, turn, ok := spans(l, tick)
		if !ok {
			slot, turn = fmt.Sprintf("%d × %s", l.Width, tick), fmt.Sprintf("%d × %d × %s", l.Slots, l.Width, tick)
		}
		slots, turns = append(slots, slot), append(turns, turn)
	}
	return in.T("ring.span", "slot", joinUnits(slots), "turn", joinUnits(turns))
}

// joinUnits formats "1 ms", "3 ms", "9 ms" as "1 / 3 / 9 ms".
func joinUnits(widths []string) string {
	if len(widths) > widthsShown {
		widths = []string{widths[0], widths[1], "…", widths[len(widths)-1]}
	}
	for i := 1; i < len(widths); i++ {
		_, unit, _ := strings.Cut(widths[i-1], " ")
		if number, next, _ := strings.Cut(widths[i], " "); next != unit || strings.Contains(number, "×") {
			return strings.Join(widths, " / ")
		}
	}
	for i := range widths[:max(len(widths)-1, 0)] {
		widths[i], _, _ = strings.Cut(widths[i], " ")
	}
	return strings.Join(widths, " / ")
}

// units are the units of durations, the largest first.
var units = [...]struct {
	size time.Duration
	name string
}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}, {1, "ns"}}

// exactMax is the largest number that the page's scripts compute with exactly.
const exactMax = 1<<53 - 1

// lasting formats a duration in the largest unit of which it is at least one, with up to three
// decimals. If that is not exact, it uses the next smaller unit, provided that the number is exact
// and less than 1000: 100 s instead of ≈ 1.667 min. The function of the same name in
// static/js/core/times.js does the same.
func lasting(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	exact := func(unit time.Duration) bool { return math.Mod(float64(d)*1000, float64(unit)) == 0 }
	k := 0
	for d < units[k].size {
		k++
	}
	if !exact(units[k].size) && exact(units[k+1].size) && d < 1000*units[k+1].size { // a duration is exact in ns
		k++
	}
	u := units[k]
	text := strconv.FormatFloat(math.Round(float64(d)*1000/float64(u.size))/1000, 'f', -1, 64) + " " + u.name
	if !exact(u.size) {
		return "≈ " + text
	}
	return text
}

// ticksLast returns the duration of ticks base ticks, or false if it is not known exactly.
func ticksLast(ticks int64, tick string) (time.Duration, bool) {
	return ticksLastBelow(ticks, tick, exactMax)
}

// ticksLastBelow returns the duration of ticks base ticks, or false if it is more than most nanoseconds.
func ticksLastBelow(ticks int64, tick string, most int64) (time.Duration, bool) {
	one, err := time.ParseDuration(tick)
	if err != nil || one <= 0 || ticks < 0 || ticks > most/int64(one) {
		return 0, false
	}
	return time.Duration(ticks) * one, true
}

// spanMax is the longest time, in nanoseconds, that is written as the length of a slot or a turn: 146
// years. Up to this length, floating-point numbers are precise enough for three decimals.
const spanMax = 1 << 62

// spans returns the time that a slot of level l spans, and the time of a revolution, as text. It returns false
// if they are too long to be written.
func spans(l wheel.Level, tick string) (slot, turn string, ok bool) {
	one, ok := ticksLastBelow(l.Width, tick, spanMax)
	if !ok || l.Slots == 0 || one > spanMax/time.Duration(l.Slots) {
		return "", "", false
	}
	return lasting(one), lasting(one * time.Duration(l.Slots)), true
}

// spanWords describes the time that a slot of level l spans, and the time of a revolution. It returns "" if
// these are too long to be written. The function of the same name in static/js/state/words.js does the same.
func spanWords(l wheel.Level, tick string, in texts.Catalogue) string {
	slot, turn, ok := spans(l, tick)
	if !ok || l.Level < 0 {
		return ""
	}
	return in.T("ring.span", "slot", slot, "turn", turn)
}

// calendarFrom is the start of a scenario, since 1970, from which on its ticks are times of day.
const calendarFrom = 1e8 * time.Second

// wallClock formats the time of tick now in a scenario that starts at the absolute tick start: the time of
// day in UTC if the start is a date, and otherwise the time since the start. It returns "" if that is not
// known exactly. The function of the same name in static/js/core/times.js does the same.
func wallClock(now, start int64, tick string) string {
	d, ok := ticksLast(now, tick)
	if one, err := time.ParseDuration(tick); err == nil && one > 0 && start >= int64(calendarFrom/one) {
		second := secondOf(start+now, tick)
		return fmt.Sprintf("%02d:%02d:%02d", second/3600%24, second/60%60, second%60)
	}
	if !ok {
		return ""
	}
	if d == 0 {
		length, _ := ticksLast(1, tick)
		return "0 " + strings.TrimLeft(lasting(length), "≈ .0123456789")
	}
	if d < time.Minute {
		return lasting(d)
	}
	rest := ""
	if part := d % time.Second; part != 0 {
		rest = strings.TrimPrefix(strconv.FormatFloat(math.Floor(part.Seconds()*1000)/1000, 'f', 3, 64), "0")
	}
	if d < time.Hour {
		return fmt.Sprintf("%d:%02d%s", d/time.Minute, d/time.Second%60, rest)
	}
	return fmt.Sprintf("%d:%02d:%02d%s", d/time.Hour, d/time.Minute%60, d/time.Second%60, rest)
}
