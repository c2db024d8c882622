package templates

import (
	"fmt"
	"slices"
	"strings"
)

// The wheel on Redis is drawn as a column for each minute's slice, its seconds from the
// top down, and boxes below for what stands beside the slices.
// static/js/pictures/redis.js draws the same: a change here is a change there.
const (
	slicesTop   = 66.0
	slicesHigh  = 240.0 // 4 units a second
	slicesLeft  = 44.0
	slicesWide  = 350.0
	columnMost  = 84.0
	columnsMax  = 12 // of more minutes the last column has what is left
	boxesTop    = 316.0
	boxesHigh   = 78.0
	boxesGap    = 8.0
	boxHead     = 26.0
	windowTall  = 2.0 // seconds that a scan of the published wheel asks for
	sliceRadius = 8.5
)

// inSlices says whether a lane is drawn so.
func inSlices(l *Lane) bool { return l.Shape == "slices" }

// besides are the places of level −1 that a lane has, in the order of their boxes.
func besides(l *Lane) []int {
	if l.Params["as"] == "corrected" {
		return []int{0, 1, 2}
	}
	return []int{0, 3}
}

// nowSecond is the second that the lane's clock is in, since 1970.
func nowSecond(l *Lane) int { return l.Levels[0].Hand }

// minutes are those that have a column: that of now and all that hold tasks.
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

// column is where the slice of a minute stands.
type column struct{ X, Wide float64 }

func columnOf(all []int, minute int) column {
	at, _ := slices.BinarySearch(all, minute)
	wide := min(columnMost, slicesWide/float64(len(all)))
	return column{slicesLeft + wide*float64(min(at, len(all)-1)), wide}
}

// minuteName is a minute as a clock shows it, UTC.
func minuteName(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60) }

// secondName is a slot of level 0 as a clock shows it, UTC.
func secondName(slot int) string { return fmt.Sprintf("%s:%02d", minuteName(slot/60), slot%60) }

// secondTop is where a second begins.
func secondTop(slot int) float64 { return slicesTop + slicesHigh/60*float64(slot%60) }

// lanesOf is how many dots of a lane of so many timers stand side by side in a column.
func lanesOf(wide float64, timers int) int {
	room := 6.0
	switch {
	case timers <= 60:
		room = 18
	case timers <= 250:
		room = 11
	}
	return max(1, int(wide/room))
}

// sliceSpot is where timer index of a place stands: neighbours in time stand side by
// side, so that a second's height is no bound on a dot's.
func sliceSpot(l *Lane, pl *Place, index int) point {
	if pl.Level < 0 {
		return boxSpot(l, pl, index)
	}
	c := columnOf(minutes(l), pl.Slot/60)
	n := lanesOf(c.Wide, size(l))
	x := c.X + c.Wide/float64(n)*(float64((pl.Slot+index)%n)+0.5)
	return point{x, secondTop(pl.Slot) + slicesHigh/120, max(dotMin, min(sliceRadius, 0.45*c.Wide/float64(n)))}
}

// boxAt is where the box of a place of level −1 stands.
func boxAt(l *Lane, slot int) column {
	all := besides(l)
	wide := (400 - boxesGap) / float64(len(all))
	return column{boxesGap + wide*float64(max(0, slices.Index(all, slot))), wide - boxesGap}
}

func boxSpot(l *Lane, pl *Place, index int) point {
	b := boxAt(l, pl.Slot)
	g := fit(pl.Count, boxesHigh-boxHead-4, b.Wide-12, 24)
	return point{b.X + 6 + g.cell*(float64(index%g.cols)+0.5), boxesTop + boxHead + g.cell*(float64(index/g.cols)+0.5), g.radius()}
}

// scanPath is the outline of what the worker asks for now: two seconds of one minute, or
// everything up to now.
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

// secondsPath is a bar for each second that holds tasks.
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
