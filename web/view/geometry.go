package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// listWords returns a description of a list's order.
func listWords(info *algorithms.Facts, zh bool) string {
	switch unordered := info.Algorithm == "list"; {
	case unordered && zh:
		return "按启动顺序"
	case unordered:
		return "in order of arming"
	case zh:
		return "按到期刻度排序"
	}
	return "in order of due tick"
}

// geometryWords describes a lane's levels, such as "3 levels × 3 slots · 1 / 3 / 9 ms".
func geometryWords(info *algorithms.Facts, levels []wheel.Level, tick, lang string) string {
	zh := lang == "zh"
	switch {
	case info.Shape == wheel.ShapeHeap && zh:
		return fmt.Sprintf("每个节点 %d 个子节点", info.Arity)
	case info.Shape == wheel.ShapeHeap:
		return fmt.Sprintf("%d children a node", info.Arity)
	case info.Shape == wheel.ShapeSlices && zh:
		return "每分钟一个有序集合，以秒定位"
	case info.Shape == wheel.ShapeSlices:
		return "a sorted set a minute, a score a second"
	case info.Shape == wheel.ShapeList:
		return listWords(info, zh)
	}
	words := slotWords(levels, zh) + " · " + widthWords(levels, tick)
	for _, l := range levels {
		if l.Level < 0 {
			return words + " · " + sideWords(info, zh)
		}
	}
	return words
}

// sideWords names level -1 of a lane: a pending queue, or a side list.
func sideWords(info *algorithms.Facts, zh bool) string {
	switch pending := knowledge.TraitsOf(info.Algorithm).Side == "pending"; {
	case pending && zh:
		return "待放入队列"
	case pending:
		return "pending queue"
	case zh:
		return "旁列表"
	}
	return "side list"
}

// slotWords returns the number of levels and their numbers of slots.
func slotWords(levels []wheel.Level, zh bool) string {
	var sizes []string
	same := true
	for _, l := range levels {
		if l.Level >= 0 {
			sizes = append(sizes, fmt.Sprint(l.Slots))
			same = same && sizes[0] == sizes[len(sizes)-1]
		}
	}
	slots := strings.Join(sizes, " / ")
	if same && len(sizes) > 0 {
		slots = sizes[0]
	}
	switch {
	case len(sizes) == 1 && zh:
		return slots + " 槽"
	case len(sizes) == 1:
		return slots + " slots"
	case zh:
		return fmt.Sprintf("%d 层 × %s 槽", len(sizes), slots)
	}
	return fmt.Sprintf("%d levels × %s slots", len(sizes), slots)
}

// widthsTold is the number of widths that are listed in full; of more, only the first two and the
// last are. It must equal WIDTHS_SHOWN in static/js/state/words.js.
const widthsTold = 4

// widthWords returns the time that a slot of each level spans, in one unit if all have the same.
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
