package templates

import (
	"math/big"
	"strings"

	"github.com/wheelscope/wheelscope/internal/knowledge"
)

// A wheel of many levels is drawn as straight rows of cells, with the finest level on top, because rings of 64
// slots would be too thin to see. This file must agree with static/js/picture/rows.js. The dimensions are in
// static/picture.json.

// inRows reports whether the levels of a lane are drawn as rows of cells, with one cell per slot, instead of
// as rings.
func inRows(l *Lane) bool { return knowledge.TraitsOf(l.Algorithm).Rows }

// rowsShown returns the number of levels to draw, which are the lowest ones. A level is drawn if it or a higher level
// contains timers, or can be reached by a delay that is not longer than the run. The rows of the other levels
// would be empty. At least one level is drawn.
func rowsShown(l *Lane) int {
	shown := 1
	for _, v := range l.Levels {
		reach := float64(v.Width)
		if l.Algorithm == "linux" {
			reach *= 63.0 / 8 // level l begins at a delay of 63/8 of its width
		}
		if reach <= float64(l.Until) {
			shown = max(shown, v.Level+1)
		}
	}
	for i := range l.Places {
		shown = max(shown, l.Places[i].Level+1)
	}
	return min(shown, rings(l))
}

// row describes where the cells of a level, one per slot, are drawn. Top is the y coordinate of their upper edge,
// High is their height, and Wide is the width of one cell. All are in units; a picture is 400 units wide.
type row struct{ Top, High, Wide float64 }

func rowAt(level, levels, slots int) row {
	pitch := (rowsBottom - rowsTop) / float64(max(levels, 1))
	room := pitch - rowsHead - 4
	high := min(cellTall, room)
	return row{rowsTop + float64(level)*pitch + rowsHead + (room-high)/2, high, rowsWide / float64(max(slots, 1))}
}

// rowSpot returns the position of the timer at the given index of place pl, in the picture of a lane l whose levels are
// drawn as rows of cells. The timers of a slot are stacked vertically. If there is room, a timer that is alone in its
// slot is at a different height from those of the adjacent slots, so that they do not overlap.
func rowSpot(l *Lane, pl *Place, index int) point {
	r := rowAt(pl.Level, rowsShown(l), l.Levels[pl.Level].Slots)
	radius := 2.7
	switch timers := size(l); {
	case timers <= 24:
		radius = 11
	case timers <= 120:
		radius = 6
	}
	radius = min(r.High/2+2, radius)
	if pl.Count > 1 {
		radius /= 1.4
	}
	order, of := index, pl.Count
	if pl.Count == 1 && r.High >= 2*radius*rowPhases {
		order, of = pl.Slot%rowPhases, rowPhases
	}
	return point{rowsLeft + r.Wide*(float64(pl.Slot)+0.5), r.Top + r.High*(float64(order)+0.5)/float64(of), max(dotMin, radius)}
}

// cellPath returns the outline of the cell of a slot as an SVG path. The outline is at least minWidth units wide; a
// picture is 400 units wide.
func (r row) cellPath(slot int, minWidth float64) string {
	wide := max(r.Wide, minWidth)
	return "M" + fix(rowsLeft+r.Wide*float64(slot)) + " " + fix(r.Top) + "h" + fix(wide) + "v" + fix(r.High) + "h" + fix(-wide) + "z"
}

// borders returns an SVG path with the lines between the cells of a row, one cell for each of the slots. If there are
// more than 64 cells, it contains only every eighth line.
func (r row) borders(slots int) string {
	step := 1
	if slots > 64 {
		step = 8
	}
	var b strings.Builder
	for s := step; s < slots; s += step {
		b.WriteString("M" + fix(rowsLeft+r.Wide*float64(s)) + " " + fix(r.Top) + "v" + fix(r.High))
	}
	return b.String()
}

// shades returns SVG paths of the cells of a level that contain timers, one path per shade, from light to
// dark: cells with 1 timer, with 2 to 7, with 8 to 63, and with more.
func (r row) shades(l *Lane, level int) [4]string {
	var paths [4]string
	for i := range l.Places {
		pl := &l.Places[i]
		if pl.Level != level {
			continue
		}
		k := 3
		switch {
		case pl.Count < 2:
			k = 0
		case pl.Count < 8:
			k = 1
		case pl.Count < 64:
			k = 2
		}
		paths[k] += r.cellPath(pl.Slot, 0)
	}
	return paths
}

// rowLabel returns the text at the left of the row for level v, in two parts: label contains the level and the length
// of a slot, and turn the length of a revolution. Small pictures hide turn.
func (p *Page) rowLabel(v *Level) (label, turn string) {
	if v.Span == "" {
		return p.Texts.T("lane.rows.level", "level", v.Level, "width", v.Width), ""
	}
	at := strings.IndexAny(v.Span, ",，")
	return p.Texts.T("lane.rows.span", "level", v.Level, "span", v.Span[:at]), v.Span[at:]
}

// rowWords returns the text at the right of the row of level v. For tokio it is a 64-bit word, in
// hexadecimal, in which the bit of each slot that contains timers is set. For linux it is the maximum
// lateness, in ticks, of timers in the level. For other algorithms it is "".
func (p *Page) rowWords(l *Lane, v *Level) string {
	switch l.Algorithm {
	case "linux":
		return p.Texts.T("lane.rows.late", "n", v.Width)
	case "tokio":
		word := new(big.Int)
		for i := range l.Places {
			if l.Places[i].Level == v.Level {
				word.SetBit(word, l.Places[i].Slot, 1)
			}
		}
		text := word.Text(16)
		return strings.Repeat("0", max(0, 16-len(text))) + text
	}
	return ""
}
