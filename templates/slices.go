package templates

import (
	"fmt"
	"slices"
	"strings"
)

// The wheel on Redis is drawn with a column for each minute, which contains the seconds of the minute from
// top to bottom. Boxes below the columns show the queues of tasks that are not stored by minute. This file
// must agree with static/js/picture/slices.js. The dimensions are in static/picture.json.

// inSlices reports whether a lane is drawn with a column for each minute, like the wheel on Redis.
func inSlices(l *Lane) bool { return l.Shape == "slices" }

// sideSlots returns the slots of level −1 of a lane, in display order.
func sideSlots(l *Lane) []int {
	if l.Params["as"] == "corrected" {
		return []int{0, 1, 2}
	}
	return []int{0, 3}
}

// nowSecond returns the current time of the lane's clock as a Unix time in seconds.
func nowSecond(l *Lane) int { return l.Levels[0].Hand }

// minutes returns the minutes for which the picture of a lane has a column: the current minute and all minutes that
// contain tasks, in ascending order. Each minute is represented by the number of minutes since the Unix epoch. If there
// are more than columnsMax such minutes, minutes returns the first columnsMax, and the last column also shows the tasks
// of the remaining minutes.
func minutes(l *Lane) []int {
	list := []int{nowSecond(l) / 60}
	for i := range l.Places {
		if l.Places[i].Level == 0 {
			list = append(list, l.Places[i].Slot/60)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), columnsMax)]
}

// column holds the left edge and the width of the column of a minute, in units; a picture is 400 units wide.
type column struct{ X, Wide float64 }

func columnOf(all []int, minute int) column {
	at, _ := slices.BinarySearch(all, minute)
	wide := min(columnMost, slicesWide/float64(len(all)))
	return column{slicesLeft + wide*float64(min(at, len(all)-1)), wide}
}

// minuteName formats minute, the number of minutes since the Unix epoch, as HH:MM in UTC.
func minuteName(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }

// secondName formats slot, a Unix time in seconds, as HH:MM:SS in UTC.
func secondName(slot int) string { return fmt.Sprintf("%s:%02d", minuteName(slot/60), slot%60) }

// secondTop returns the y coordinate, in units, of the upper edge of a second; a picture is 400 units high. Each minute
// has a column, which contains its seconds from top to bottom. slot is the second as a Unix time.
func secondTop(slot int) float64 { return slicesTop + slicesHigh/60*float64(slot%60) }

// columnsIn returns the number of dots that are drawn side by side in a minute's column. wide is the width of
// the column, in units of the picture, and timers is the number of timers in the lane.
func columnsIn(wide float64, timers int) int {
	room := 6.0
	switch {
	case timers <= 60:
		room = 18
	case timers <= 250:
		room = 11
	}
	return max(1, int(wide/room))
}

// sliceSpot returns the position of the timer at the given index of place pl, in the picture of a lane l that is drawn
// with a column for each minute. A slot is one second of the column. If the column is wide enough, the dots of
// consecutive seconds are also at different horizontal positions, so that a dot can be higher than its second.
func sliceSpot(l *Lane, pl *Place, index int) point {
	if pl.Level < 0 {
		return boxSpot(l, pl, index)
	}
	c := columnOf(minutes(l), pl.Slot/60)
	n := columnsIn(c.Wide, size(l))
	x := c.X + c.Wide/float64(n)*(float64((pl.Slot+index)%n)+0.5)
	return point{x, secondTop(pl.Slot) + slicesHigh/120, max(dotMin, min(sliceRadius, 0.45*c.Wide/float64(n)))}
}

// boxAt returns the left edge and the width, in units, of the box for a slot of level −1. Such a slot is a queue
// of tasks that are not stored by minute. Its box is drawn below the columns of the minutes.
func boxAt(l *Lane, slot int) column {
	all := sideSlots(l)
	wide := (400 - boxesGap) / float64(len(all))
	return column{boxesGap + wide*float64(max(0, slices.Index(all, slot))), wide - boxesGap}
}

func boxSpot(l *Lane, pl *Place, index int) point {
	b := boxAt(l, pl.Slot)
	g := fit(pl.Count, boxesHigh-boxHead-4, b.Wide-12, 24)
	return point{b.X + 6 + g.cell*(float64(index%g.cols)+0.5), boxesTop + boxHead + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// scanPath returns the outline, as an SVG path, of the seconds that the worker of lane l searches for tasks now. If the
// "as" parameter of the lane is "corrected", the worker searches the current second and all earlier seconds, including
// those of earlier minutes. Otherwise, it searches the current second and, if the next second is in the same minute,
// that one too.
func scanPath(l *Lane) string {
	now := nowSecond(l)
	all := minutes(l)
	c := columnOf(all, now/60)
	if l.Params["as"] == "corrected" {
		bottom := secondTop(now) + slicesHigh/60
		return rectPath(slicesLeft, slicesTop, c.X-slicesLeft, slicesHigh) + rectPath(c.X, slicesTop, c.Wide, bottom-slicesTop)
	}
	tall := min(windowTall, float64(60-now%60))
	return rectPath(c.X, secondTop(now), c.Wide, slicesHigh/60*tall)
}

func rectPath(x, y, wide, high float64) string {
	if wide <= 0 || high <= 0 {
		return ""
	}
	return "M" + fix(x) + " " + fix(y) + "h" + fix(wide) + "v" + fix(high) + "h" + fix(-wide) + "z"
}

// secondsPath returns an SVG path with a bar for each second that contains tasks.
func secondsPath(l *Lane) string {
	var b strings.Builder
	all := minutes(l)
	for i := range l.Places {
		if pl := &l.Places[i]; pl.Level == 0 {
			c := columnOf(all, pl.Slot/60)
			b.WriteString(rectPath(c.X, secondTop(pl.Slot), c.Wide, slicesHigh/60))
		}
	}
	return b.String()
}
