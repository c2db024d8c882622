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

// geometryWords returns a description of the structure of a lane: its levels, such as "3 levels × 3 slots", or its list
// or heap. info holds the properties of the lane's wheel, and in is the catalogue of the texts. The function
// geometryWords in static/js/state/words.js must return the same text.
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

// slotWords returns a description of the levels and the number of slots of each, such as "3 levels × 8 slots". It
// ignores lists beside the wheel, whose level is negative.
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

// widthsShown is the maximum length of a list of slot widths that is shown in full. In a longer list, the
// widths between the second and the last are replaced by an ellipsis.
const widthsShown = 4

// turnWords returns a description of the durations of a slot and of a revolution on each level of a ring, such as
// "1 / 10 s per slot, 10 / 100 s per turn". It returns "" for other shapes. tick is the length of a base tick. The
// function turnWords in static/js/state/words.js must return the same text.
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

// joinUnits joins durations. If all have the same unit, it appears only once: "1 ms", "3 ms" and "9 ms" become
// "1 / 3 / 9 ms". If there are more than widthsShown durations, those between the second and the last are replaced
// by an ellipsis.
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

// units lists the units of durations, largest first.
var units = [...]struct {
	size time.Duration
	name string
}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}, {1, "ns"}}

// exactMax is the largest number of nanoseconds that the scripts of the page represent exactly, 2^53 − 1.
const exactMax = 1<<53 - 1

// lasting formats a duration in the largest unit that does not exceed it, with at most three digits after the
// decimal point. If it must round the number, it precedes the text with "≈". However, if the number in the next
// smaller unit needs no rounding and is less than 1000, lasting uses that unit: "100 s" instead of "≈ 1.667
// min". The function lasting in static/js/core/times.js must return the same text.
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

// ticksLast returns the duration of the given number of base ticks. It returns false if the number is negative or
// the duration exceeds exactMax nanoseconds. tick is the length of a base tick.
func ticksLast(ticks int64, tick string) (time.Duration, bool) {
	return ticksLastBelow(ticks, tick, exactMax)
}

// ticksLastBelow returns the duration of the given number of base ticks. It returns false if the number is
// negative or the duration exceeds limit, which is in nanoseconds. tick is the length of a base tick.
func ticksLastBelow(ticks int64, tick string, limit int64) (time.Duration, bool) {
	one, err := time.ParseDuration(tick)
	if err != nil || one <= 0 || ticks < 0 || ticks > limit/int64(one) {
		return 0, false
	}
	return time.Duration(ticks) * one, true
}

// spanMax is the maximum length of a slot or a revolution that is shown as a duration, in ns: about 146 years.
// For longer durations, floating-point numbers are not precise enough for three digits after the decimal point.
const spanMax = 1 << 62

// spans formats the duration of a slot of level l and the duration of a revolution of l. It returns false if either of
// them exceeds spanMax or the number of slots is not fixed. tick is the length of a base tick.
func spans(l wheel.Level, tick string) (slot, turn string, ok bool) {
	one, ok := ticksLastBelow(l.Width, tick, spanMax)
	if !ok || l.Slots == 0 || one > spanMax/time.Duration(l.Slots) {
		return "", "", false
	}
	return lasting(one), lasting(one * time.Duration(l.Slots)), true
}

// spanWords returns a description of the duration of a slot of level l and the duration of a revolution of l. It
// returns "" if l is a list beside the wheel, if its number of slots is not fixed, or if either duration exceeds
// spanMax. tick is the length of a base tick. The function spanWords in static/js/state/words.js must return the same
// text.
func spanWords(l wheel.Level, tick string, in texts.Catalogue) string {
	slot, turn, ok := spans(l, tick)
	if !ok || l.Level < 0 {
		return ""
	}
	return in.T("ring.span", "slot", slot, "turn", turn)
}

// calendarFrom is a time in March 1973, as a duration since the Unix epoch. If a scenario starts at that time or
// later, its ticks are shown as times of day. Otherwise they are shown as times since its start.
const calendarFrom = 1e8 * time.Second

// wallClock formats the time of tick now in a scenario that starts at the absolute tick start. It returns the
// time of day in UTC if start is calendarFrom or later, and otherwise the time since the start, or "" if that
// is not known exactly. tick is the length of a base tick. The function wallClock in static/js/core/times.js
// must return the same text.
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
