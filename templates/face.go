package templates

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Face is what the picture of a lane in the entry view shows at a position. static/js/picture/frame.js draws the same
// pictures, and those between two positions; a test compares them.
type Face struct {
	Lane *Lane // the lane; its levels are those after the events
	// Before and After are the timers before and after the events of the tick. If Moved is false, the events are yet to
	// happen, and their timers are where they were.
	Before, After []Place
	Opening       []Place // timers before the tick; only used with Earlier
	Moved         bool
	Moves         []FaceMove // ways of timers in the events, in order of their first event
	Earlier       []FaceMove // ways of timers in earlier events of the same tick, if Moved is false
	Ended         []FaceEnded
	Totals        Totals   // numbers of timers that were fired and rejected at the picture's instant
	Clock         float64  // clock of the lane at the picture's instant, in ticks; in the middle of a tick, it is that tick plus 0.5
	Origin        int64    // tick at which slot 0 began, modulo anything
	Queue         []Bucket // delay queue at the picture's instant
	Rings         int      // number of rings, including those of levels that do not exist yet
	Until         int64
	First         func(id uint32) uint32 // returns the first ID of a timer's name, which determines its colour
	Fired, Reject string                 // names of the trays
	Queued        string                 // name of the delay queue
	lab           bool                   // whether the rings are those of the laboratory
}

// FaceMove is the way of a timer through the events of a tick.
type FaceMove struct {
	ID       uint32
	Replaces uint32 // ID of the timer of the same name that it replaces, or 0
	Stops    []FaceStop
	Cascade  bool
}

// FaceStop is where an event takes a timer: a place or, if Kind is not "", "fired", "rejected" or "gone".
type FaceStop struct {
	Kind        string
	Level, Slot int
}

// FaceEnded is a timer in a tray.
type FaceEnded struct {
	ID       uint32
	Due      int64
	Rejected bool
	Earlier  bool // whether it ended before the events of the picture
}

// shape is an element of a picture: its name, its attributes as names and values, and its children or text.
type shape struct {
	name  string
	attrs []string
	in    []shape
	text  string
}

func group(class string, in []shape) shape {
	return shape{name: "g", attrs: []string{"class", class}, in: in}
}

// markup appends shapes as SVG.
func markup(b *strings.Builder, list []shape) {
	for _, s := range list {
		b.WriteString("<" + s.name)
		for i := 0; i < len(s.attrs); i += 2 {
			b.WriteString(" " + s.attrs[i] + `="` + html.EscapeString(s.attrs[i+1]) + `"`)
		}
		b.WriteString(">" + html.EscapeString(s.text))
		markup(b, s.in)
		b.WriteString("</" + s.name + ">")
	}
}

// Picture returns the picture as SVG, without the svg element.
func (f *Face) Picture() string {
	return svgOf(f.shapes())
}

// kind returns the form of the picture: "ring", "rows", "list", "heap" or "slices".
func (f *Face) kind() string {
	if inRows(f.Lane) {
		return "rows"
	}
	return f.Lane.Shape
}

func (f *Face) high() float64 {
	if f.lab || f.kind() == "ring" {
		return 400
	}
	return 440
}

// ViewBox returns the viewBox of the picture.
func (f *Face) ViewBox() string { return fmt.Sprintf("0 0 400 %g", f.high()) }

func (f *Face) shapes() []shape {
	dots, trails := f.timers()
	lines, knobs := f.hands()
	return []shape{
		group("back", f.back()), group("pointed", nil), group("hands", lines), group("delays", nil), group("numbers", f.numbers()),
		group("trays", f.trayWords()), group("queue", f.queue()), group("trails", trails), group("dots", dots), group("knobs", knobs), group("ghosts", nil),
	}
}

// Geometry of rings.

// ringShape is the geometry of a level.
type ringShape struct {
	inner, outer float64
	slots        int
	width        int64
}

// ringsOf returns the rings of the levels of a lane, the finest first.
func ringsOf(l *Lane) []ringShape { return ringShapes(l.Levels, rings(l)) }

func (f *Face) ringShapes() []ringShape { return ringShapes(f.Lane.Levels, f.Rings) }

// hubRadius returns the radius of the circle inside the innermost ring.
func hubRadius(rings int) float64 {
	switch {
	case rings <= 1:
		return faceRim * faceHubOne
	case rings == 2:
		return faceRim * faceHubTwo
	}
	return faceRim * faceHubMany
}

// ringShapes returns count rings, the finest first. Levels that do not exist yet have the geometry that they would have.
func ringShapes(levels []Level, count int) []ringShape {
	var known []Level
	for _, l := range levels {
		if l.Level >= 0 {
			known = append(known, l)
		}
	}
	weights, sum := make([]float64, count), 0.0
	for l := range weights {
		weights[l] = faceMiddle
		if l == 0 {
			weights[l] = 1
		} else if l == count-1 && count > 2 {
			weights[l] = faceLast
		}
		sum += weights[l]
	}
	unit, outer := (faceRim-hubRadius(count))/sum, float64(faceRim)
	list := make([]ringShape, count)
	for l := range list {
		r := ringShape{outer: outer, inner: outer - unit*weights[l], slots: 1, width: 1}
		switch {
		case l < len(known):
			r.slots, r.width = known[l].Slots, known[l].Width
		case l > 0:
			r.slots, r.width = list[l-1].slots, int64(list[l-1].slots)*list[l-1].width
		}
		list[l], outer = r, outer-unit*weights[l]
	}
	return list
}

// dialPoint returns a point at a position in slots.
func dialPoint(radius, p float64, slots int) (x, y float64) {
	return polar(radius, p/float64(slots)*2*math.Pi-math.Pi/2)
}

func pair(x, y float64) string { return fix(x) + " " + fix(y) }

func dialAt(radius, p float64, slots int) string { return pair(dialPoint(radius, p, slots)) }

// sectorLeast is the least width of the outline of a slot, and spokesMax the number of slots of a ring above which their borders
// are not drawn.
const (
	sectorLeast = 3
	spokesMax   = 256
)

func (r ringShape) sector(slot int) string {
	if r.slots == 1 {
		return r.annulus()
	}
	half := max(0.5, sectorLeast*float64(r.slots)/(4*math.Pi*r.outer))
	from, to, o, i := float64(slot)-half, float64(slot)+half, fix(r.outer), fix(r.inner)
	return "M" + dialAt(r.outer, from, r.slots) + "A" + o + " " + o + " 0 0 1 " + dialAt(r.outer, to, r.slots) + "L" + dialAt(r.inner, to, r.slots) +
		"A" + i + " " + i + " 0 0 0 " + dialAt(r.inner, from, r.slots) + "Z"
}

func (r ringShape) annulus() string {
	circle := func(v float64, sweep string) string {
		s := fix(v)
		return "M" + pair(centre-v, centre) + "a" + s + " " + s + " 0 1 " + sweep + " " + fix(2*v) + " 0a" + s + " " + s + " 0 1 " + sweep + " " + fix(-2*v) + " 0Z"
	}
	return circle(r.outer, "1") + circle(r.inner, "0")
}

func (r ringShape) spokes() string {
	if r.slots < 2 || r.slots > spokesMax {
		return ""
	}
	var b strings.Builder
	for s := range r.slots {
		b.WriteString("M" + dialAt(r.inner, float64(s)-0.5, r.slots) + "L" + dialAt(r.outer, float64(s)-0.5, r.slots))
	}
	return b.String()
}

// spot returns the position of the timer at an index of count in a slot.
func (r ringShape) spot(slot, index, count int) point {
	thick, wide := r.outer-r.inner, (r.inner+r.outer)*math.Pi/float64(r.slots)
	columns, rows, radius := 0, 0, 0.0
	for c := 1; c <= faceColumns; c++ {
		n := (count + c - 1) / c
		breadth := wide * 0.86 / (float64(c) * 2.2)
		if c == 1 {
			breadth = max(breadth, faceLeast)
		}
		if q := min(thick*0.92/(float64(n)*2.3), breadth, faceDot); columns == 0 || q > radius+0.01 {
			columns, rows, radius = c, n, q
		}
	}
	row, inRow := index/columns, columns
	if rest := count - (index/columns)*columns; row >= rows-1 && rest > 0 {
		inRow = rest
	}
	at := (r.inner+r.outer)/2 + (float64(rows-1)/2-float64(row))*2.25*radius
	p := float64(slot) + (float64(index%columns)-float64(inRow-1)/2)*2.2*radius*float64(r.slots)/(at*2*math.Pi)
	x, y := dialPoint(at, p, r.slots)
	return point{x, y, radius}
}

// modulo returns a modulo n, from 0 to n.
func modulo(a, n float64) float64 { return math.Mod(math.Mod(a, n)+n, n) }

// handAt returns the position of a level's hand in slots.
func (f *Face) handAt(slots int, width int64) float64 {
	n, w := float64(slots), float64(width)
	return modulo(modulo(float64(f.Origin), n*w)/w+f.Clock/w-0.5, n)
}

// handSlot returns the slot under a level's hand.
func (f *Face) handSlot(slots int, width int64) int {
	n, w := float64(slots), float64(width)
	return int(modulo((modulo(float64(f.Origin), n*w)+math.Floor(f.Clock))/w, n))
}

// What lies behind the timers.

func (f *Face) used(level int) bool {
	return level == 0 || slices.ContainsFunc(f.Lane.Levels, func(l Level) bool { return l.Level == level })
}

func (f *Face) back() []shape {
	var list []shape
	add := func(name string, attrs ...string) { list = append(list, shape{name: name, attrs: attrs}) }
	switch f.kind() {
	case "ring":
		for level, r := range f.ringShapes() {
			ghost := ""
			if !f.used(level) {
				ghost = " ghost"
			}
			add("path", "class", "ring"+ghost, "d", r.annulus(), "fill-rule", "evenodd")
			add("path", "class", "spoke"+ghost, "d", r.spokes())
			add("path", "class", "wedge", "d", r.sector(f.handSlot(r.slots, r.width)))
			if ghost != "" {
				last := &list[len(list)-1]
				last.attrs = append(last.attrs, "visibility", "hidden")
			}
		}
	case "rows":
		l := f.lane(f.After)
		for _, v := range l.Levels[:rowsShown(l)] {
			r := rowAt(v.Level, rowsShown(l), v.Slots)
			d, step := "", 1
			if v.Slots > 64 {
				step = 8
			}
			for s := 1; s < v.Slots; s += step {
				d += "M" + pair(8+r.Wide*float64(s), r.Top) + "v" + fix(r.High)
			}
			add("rect", "class", "ring", "x", "8", "y", fix(r.Top), "width", "384", "height", fix(r.High))
			add("path", "class", "spoke", "d", d)
			at := 8 + r.Wide*float64(f.handSlot(v.Slots, v.Width))
			add("path", "class", "wedge", "d", "M"+pair(at, r.Top)+"h"+fix(r.Wide)+"v"+fix(r.High)+"h"+fix(-r.Wide)+"z")
		}
	case "slices":
		all := f.minutes(f.After)
		wide := min(84, 350/float64(len(all)))
		for i := range all {
			add("rect", "class", "ring", "x", fix(44+wide*float64(i)), "y", "66", "width", fix(wide), "height", "240")
		}
	default:
		l := f.lane(f.After)
		add("path", "class", "edge", "d", edgesOf(l, f.nodesOf(l)))
	}
	return list
}

// lane returns the lane with the given timers.
func (f *Face) lane(places []Place) *Lane {
	l := *f.Lane
	l.Places, l.Until = places, f.Until
	return &l
}

// minutes returns the minutes that have a column.
func (f *Face) minutes(places []Place) []int {
	var list []int
	for i := range places {
		if places[i].Level == 0 {
			list = append(list, places[i].Slot/60)
		}
	}
	if len(list) == 0 {
		list = append(list, int(f.Origin/60))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), columnsMax)]
}

func (f *Face) hands() (lines, knobs []shape) {
	switch f.kind() {
	case "ring":
		for level, r := range f.ringShapes() {
			p, end, knob := f.handAt(r.slots, r.width), r.outer, "7.5"
			if level > 0 {
				end, knob = r.outer-ringIn, "6"
			}
			x1, y1 := dialPoint(r.inner+1, p, r.slots)
			x2, y2 := dialPoint(end, p, r.slots)
			grip := func(in shape) shape {
				g := group("grip", []shape{in})
				if !f.used(level) {
					g.attrs = append(g.attrs, "visibility", "hidden")
				}
				return g
			}
			lines = append(lines, grip(shape{name: "line", attrs: []string{"class", "hand", "x1", fix(x1), "y1", fix(y1), "x2", fix(x2), "y2", fix(y2)}}))
			knobs = append(knobs, grip(shape{name: "circle", attrs: []string{"class", "knob", "cx", fix(x2), "cy", fix(y2), "r", knob}}))
		}
	case "rows":
		l := f.lane(f.After)
		for _, v := range l.Levels[:rowsShown(l)] {
			r := rowAt(v.Level, rowsShown(l), v.Slots)
			x := fix(8 + r.Wide*(f.handAt(v.Slots, v.Width)+0.5))
			lines = append(lines, shape{name: "line", attrs: []string{"class", "hand", "x1", x, "y1", fix(r.Top), "x2", x, "y2", fix(r.Top + r.High)}})
		}
	}
	return lines, knobs
}

// numbersApart is the smallest distance between the numbers of two slots, in degrees.
const numbersApart = 8

func (f *Face) numbers() (list []shape) {
	if f.kind() != "ring" {
		return nil
	}
	r := f.ringShapes()[0]
	if r.slots < 2 {
		return nil
	}
	now, places := f.handSlot(r.slots, r.width), f.Before
	if f.Moved {
		places = f.After
	}
	n, occupied := float64(r.slots), []int{now}
	for s := 0; r.slots <= 64 && s < r.slots; s++ {
		near := func(o int) bool { return min(modulo(float64(s-o), n), modulo(float64(o-s), n))*360/n < numbersApart }
		if slices.ContainsFunc(places, func(p Place) bool { return p.Level == 0 && p.Slot == s }) && !slices.ContainsFunc(occupied, near) {
			occupied = append(occupied, s)
		}
	}
	for s := range r.slots {
		class, radius := "slotno", faceRim+faceLabel
		switch {
		case s == now:
			class += " now"
			radius += faceNow
		case slices.Contains(occupied, s):
			class += " has"
		default:
			continue
		}
		x, y := dialPoint(radius, float64(s), r.slots)
		list = append(list, shape{name: "text", attrs: []string{"class", class, "x", fix(x), "y", fix(y)}, text: strconv.Itoa(s)})
	}
	return list
}
