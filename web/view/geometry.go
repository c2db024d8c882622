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

// geometryWords describes the levels of a lane, such as "3 levels × 3 slots · 1 / 3 / 9 ms". The function of
// the same name in static/js/state/words.js does the same.
func geometryWords(info *algorithms.Facts, levels []wheel.Level, tick string, in texts.Catalogue) string {
	switch {
	case info.Algorithm == "list":
		return in.T("geometry.unordered")
	case info.Shape != wheel.ShapeRing:
		return in.T("geometry."+string(info.Shape), "arity", info.Arity)
	}
	words := slotWords(levels, in) + " · " + widthWords(levels, tick)
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

// widthWords describes the time that a slot of each level spans. tick is the length of a base tick.
func widthWords(levels []wheel.Level, tick string) string {
	one, err := time.ParseDuration(tick)
	var widths []string
	for _, l := range levels {
		if l.Level < 0 {
			continue
		}
		w := fmt.Sprintf("%d × %s", l.Width, tick)
		if err == nil && l.Width <= int64(1<<62)/int64(max(one, 1)) {
			w = durationWords(time.Duration(l.Width) * one)
		}
		widths = append(widths, w)
	}
	if len(widths) > widthsShown {
		widths = []string{widths[0], widths[1], "…", widths[len(widths)-1]}
	}
	return joinUnits(widths)
}

// joinUnits formats "1 ms", "3 ms", "9 ms" as "1 / 3 / 9 ms".
func joinUnits(widths []string) string {
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

// durationWords formats a duration in the largest unit of which it is a multiple.
func durationWords(d time.Duration) string {
	for _, u := range units {
		if d%u.size == 0 {
			return fmt.Sprintf("%d %s", d/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}

// units are the units of durations, the largest first.
var units = [...]struct {
	size time.Duration
	name string
}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}, {1, "ns"}}

// exactMax is the largest number that the page's scripts compute with exactly.
const exactMax = 1<<53 - 1

// lasting formats a duration in the largest unit of which it is at least one, with up to three
// decimals. If that is not exact, it uses the next smaller unit where it is exact and less than 1000:
// 100 s, not ≈ 1.667 min. The function of the same name in static/js/core/times.js does the same.
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
	one, err := time.ParseDuration(tick)
	if err != nil || one <= 0 || ticks < 0 || ticks > exactMax/int64(one) {
		return 0, false
	}
	return time.Duration(ticks) * one, true
}

// spanWords describes the time that a slot of level l spans, and the time of a revolution. It returns "" if
// these cannot be written exactly.
func spanWords(l wheel.Level, tick string, in texts.Catalogue) string {
	slot, ok := ticksLast(l.Width, tick)
	turn, fits := ticksLast(l.Width*int64(l.Slots), tick)
	if !ok || !fits || l.Level < 0 || l.Slots == 0 || int64(l.Slots) > exactMax/max(l.Width, 1) {
		return ""
	}
	return in.T("ring.span", "slot", lasting(slot), "turn", lasting(turn))
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
