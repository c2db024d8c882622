package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// geometryWords describes a lane's levels, such as "3 levels × 3 slots · 1 / 3 / 9 ms", as the
// function of the same name in static/js/state/words.js does.
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

// slotWords returns the number of levels and their numbers of slots, such as "3 levels × 8 slots".
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

// widthsTold is the number of widths that are listed in full; of more, only the first two and the
// last are. It must equal WIDTHS_SHOWN in static/js/state/words.js.
const widthsTold = 4

// widthWords returns the time that a slot of each level spans; tick is the length of a base tick.
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
	if len(widths) > widthsTold {
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
	for _, u := range [...]struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d%u.size == 0 {
			return fmt.Sprintf("%d %s", d/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}
