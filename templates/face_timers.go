package templates

import (
	"math"
	"slices"
	"strconv"
)

// trayShown is the number of timers that a tray shows, and labelLeast the smallest radius of a dot with a label.
const (
	trayShown  = 12
	labelLeast = 7
)

// tray returns the timers that were fired or rejected.
func (f *Face) tray(rejected bool) (list []FaceEnded, earlier int) {
	for _, e := range f.Ended {
		if e.Rejected == rejected {
			list = append(list, e)
			if e.Earlier {
				earlier++
			}
		}
	}
	return list, earlier
}

func (f *Face) traySpot(rejected bool, index, count int) point {
	shown := min(count, trayShown)
	at := max(0, index-(count-shown))
	step := min(2.1*faceTray, (faceTrayWide-2*faceTray)/float64(max(1, shown-1)))
	x := faceTray + 1 + float64(at)*step
	if !rejected {
		x = 400 - faceTray - 1 - float64(shown-1-at)*step
	}
	return point{x, faceTrayY + f.high() - 400, faceTray}
}

func (f *Face) trayWords() (list []shape) {
	for _, t := range []struct {
		rejected           bool
		class, x, side, of string
	}{{true, "rejected", "1", "start", f.Reject}, {false, "fired", "399", "end", f.Fired}} {
		n := f.Totals.Fired
		if t.rejected {
			n = f.Totals.Rejected
		}
		if n == 0 {
			continue
		}
		if n > trayShown {
			t.of += " " + num(n)
		}
		list = append(list, shape{name: "text", attrs: []string{"class", "traytext " + t.class, "x", t.x, "y", fix(faceTrayText + f.high() - 400), "text-anchor", t.side}, text: t.of})
	}
	return list
}

// queue returns the delay queue: the due ticks of its first buckets, the head at the top.
func (f *Face) queue() (list []shape) {
	n := len(f.Queue)
	if n == 0 {
		return nil
	}
	shown := n
	if n > faceBuckets {
		shown = faceBuckets - 1
	}
	var words []string
	for _, b := range f.Queue[:shown] {
		words = append(words, num(b.Due))
	}
	if shown < n {
		words = append(words, "+"+strconv.Itoa(n-shown))
	}
	const x, pitch = 399 - faceBucketWide, faceBucketHigh + 3
	list = append(list, shape{name: "text", attrs: []string{"class", "traytext", "x", fix(x - 6), "y", fix(faceBucketHigh - 4), "text-anchor", "end"}, text: f.Queued})
	for i, word := range words {
		class, y := "bucket", 1+pitch*float64(i)
		if i == 0 {
			class = "bucket next"
		}
		list = append(list,
			shape{name: "rect", attrs: []string{"class", class, "x", fix(x), "y", fix(y), "width", fix(faceBucketWide), "height", fix(faceBucketHigh), "rx", "4"}},
			shape{name: "text", attrs: []string{"class", "due", "x", fix(x + faceBucketWide/2), "y", fix(y + faceBucketHigh/2),
				"font-size", fix(min(13, (faceBucketWide-4)/(0.6*float64(len(word)))))}, text: word})
	}
	return list
}

// held is a timer in a place.
type held struct {
	*Timer
	place *Place
	index int
}

func timersIn(places []Place) map[uint32]held {
	all := map[uint32]held{}
	for i := range places {
		for j := range places[i].Timers {
			all[places[i].Timers[j].ID] = held{&places[i].Timers[j], &places[i], j}
		}
	}
	return all
}

// spotIn returns the position of the timer at an index of a place, among the given timers.
func (f *Face) spotIn(places []Place, pl *Place, index int) point {
	if f.lab && f.kind() != "heap" && f.kind() != "list" {
		return spot(f.lane(places), pl, index)
	}
	switch f.kind() {
	case "ring":
		if pl.Level < 0 {
			return sideSpot(index, pl.Count)
		}
		return f.ringShapes()[min(pl.Level, f.Rings-1)].spot(pl.Slot, index, pl.Count)
	case "slices":
		return f.sliceSpot(places, pl, index)
	}
	l := f.lane(places)
	switch f.kind() {
	case "heap":
		return heapSpot(f.ancestor(pl.Slot), f.nodesOf(l), l.Arity)
	case "list":
		if pl.Count > faceDots {
			return listSpot(min(index, listRoomy-1), listRoomy)
		}
	}
	return spot(l, pl, index)
}

// heapShown returns the first node of the last row of a heap that is drawn, and the number of nodes that are. A node of
// the last row stands for its descendants, too.
func (f *Face) heapShown() (last, nodes int) {
	row := 1
	for arity := max(f.Lane.Arity, 2); row*arity <= faceBunches; row *= arity {
		last += row
	}
	return last, last + row
}

// ancestor returns the node of a heap that stands for the one at slot.
func (f *Face) ancestor(slot int) int {
	for _, nodes := f.heapShown(); slot >= nodes; {
		slot = (slot - 1) / max(f.Lane.Arity, 2)
	}
	return slot
}

// nodesOf returns the number of nodes of a heap, or of timers of a list, between which edges are drawn.
func (f *Face) nodesOf(l *Lane) int {
	n := size(l)
	if _, nodes := f.heapShown(); f.kind() == "heap" {
		return min(n, nodes)
	}
	if n > faceDots {
		return listRoomy
	}
	return n
}

// many reports whether there are too many timers to draw each by itself.
func (f *Face) many(places []Place) bool {
	n := size(f.lane(places))
	if _, nodes := f.heapShown(); f.kind() == "heap" {
		return n > nodes
	}
	return n > faceDots
}

// single reports whether the timer at an index of a place is drawn by itself if there are many.
func (f *Face) single(pl *Place, index int) bool {
	switch f.kind() {
	case "heap":
		last, nodes := f.heapShown()
		return pl.Slot < last || pl.Slot < nodes && pl.Slot*max(f.Lane.Arity, 2)+1 >= size(f.lane(f.After))
	case "list":
		return pl.Count <= faceDots || index < listRoomy-1
	}
	return pl.Count == 1
}

// bunches returns the discs that stand for the timers that are not drawn by themselves: their places, and the number of
// timers in each.
func (f *Face) bunches(places []Place) (list []Place) {
	switch f.kind() {
	case "heap":
		last, nodes := f.heapShown()
		counts := make([]int, nodes)
		for slot := last; slot < size(f.lane(places)); slot++ {
			counts[f.ancestor(slot)]++
		}
		for slot, count := range counts {
			if count > 1 {
				list = append(list, Place{Slot: slot, Count: count})
			}
		}
		return list
	case "list":
		for i := range places {
			if pl := places[i]; pl.Count > faceDots {
				pl.Count -= listRoomy - 1
				list = append(list, pl)
			}
		}
		return list
	}
	for i := range places {
		if places[i].Count > 1 {
			list = append(list, places[i])
		}
	}
	return list
}

func (f *Face) sliceSpot(places []Place, pl *Place, index int) point {
	if pl.Level < 0 {
		boxes := []int{0}
		for i := range places {
			if places[i].Level < 0 {
				boxes = append(boxes, places[i].Slot)
			}
		}
		slices.Sort(boxes)
		boxes = slices.Compact(boxes)
		wide := (400 - boxesGap) / float64(len(boxes))
		x := boxesGap + wide*float64(max(0, slices.Index(boxes, pl.Slot)))
		g := fit(pl.Count, boxesHigh-boxHead-4, wide-boxesGap-12, 24)
		return point{x + 6 + g.cell*(float64(index%g.cols)+0.5), boxesTop + boxHead + g.cell*(float64(index/g.cols)+0.5), g.radius()}
	}
	c := columnOf(f.minutes(places), pl.Slot/60)
	n := columnsIn(c.Wide, size(f.lane(places)))
	x := c.X + c.Wide/float64(n)*(float64((pl.Slot+index)%n)+0.5)
	return point{x, secondTop(pl.Slot) + slicesHigh/120, max(dotMin, min(sliceRadius, 0.45*c.Wide/float64(n)))}
}

func (f *Face) placeOf(places []Place, h held) point { return f.spotIn(places, h.place, h.index) }

// timers returns the timers, and the trails of those that cascaded.
func (f *Face) timers() (dots, trails []shape) {
	before, after := timersIn(f.Before), timersIn(f.After)
	moves, gone := map[uint32]*FaceMove{}, map[uint32]bool{}
	ids := map[uint32]bool{}
	for id := range before {
		ids[id] = true
	}
	for id := range after {
		ids[id] = true
	}
	for i := range f.Moves {
		m := &f.Moves[i]
		moves[m.ID], ids[m.ID] = m, true
		gone[m.Replaces] = true
	}
	u := 0.0
	if f.Moved {
		u = 1
	}
	var trays [2][]FaceEnded
	var opened [2]int
	for k, rejected := range []bool{false, true} {
		trays[k], opened[k] = f.tray(rejected)
		for i := max(0, len(trays[k])-trayShown); i < opened[k]; i++ {
			a, b := f.traySpot(rejected, i, opened[k]), f.traySpot(rejected, i, len(trays[k]))
			at := point{a.X + (b.X-a.X)*u, b.Y, b.R}
			dots = append(dots, f.dot(trays[k][i].ID, trays[k][i].Due, at, []string{"fired", "rejected"}[k], 0, false))
		}
	}
	bundled := f.many(f.Before) || f.many(f.After)
	if bundled {
		shown := f.Before
		if f.Moved {
			shown = f.After
		}
		dots = append(dots, f.bundles(shown)...)
	}
	order := make([]uint32, 0, len(ids))
	for id := range ids {
		if !gone[id] {
			order = append(order, id)
		}
	}
	slices.SortFunc(order, func(p, q uint32) int {
		if a, b := f.First(p), f.First(q); a != b {
			return int(a) - int(b)
		}
		return int(p) - int(q)
	})
	for _, id := range order {
		own, owned := before[id]
		a, has := own, owned
		m := moves[id]
		if !has && m != nil && m.Replaces != 0 {
			a, has = before[m.Replaces]
		}
		b, stays := after[id]
		last := FaceStop{}
		if m != nil && len(m.Stops) > 0 {
			last = m.Stops[len(m.Stops)-1]
		}
		var list []FaceEnded
		left := -1
		if last.Kind == "fired" || last.Kind == "rejected" {
			list, _ = f.tray(last.Kind == "rejected")
			left = slices.IndexFunc(list, func(e FaceEnded) bool { return e.ID == id && !e.Earlier })
		}
		trayed := left >= 0 && f.Moved && len(list)-left <= trayShown
		if bundled && !trayed && !(m != nil && !f.Moved) && (!stays || !f.single(b.place, b.index)) {
			continue
		}
		if !has && !f.Moved {
			continue
		}
		due := int64(0)
		switch {
		case stays:
			due = b.Due
		case owned:
			due = own.Due
		default:
			if i := slices.IndexFunc(f.Ended, func(e FaceEnded) bool { return e.ID == id }); i >= 0 {
				due = f.Ended[i].Due
			}
		}
		start := point{centre, centre, 8}
		if f.kind() != "ring" {
			start.Y = 36
		}
		if has {
			start = f.placeOf(f.Before, a)
		}
		end := start
		switch {
		case list != nil:
			end = f.traySpot(last.Kind == "rejected", left, len(list))
		case stays:
			end = f.placeOf(f.After, b)
		}
		now, shown := a, start
		if stays {
			now = b
		}
		state := "pending"
		if now.Timer != nil && now.Marked {
			state = "marked"
		}
		if f.Moved {
			if last.Kind == "gone" || !stays && last.Kind == "" && has {
				continue
			}
			shown = end
			if last.Kind == "fired" || last.Kind == "rejected" {
				state = last.Kind
			}
		} else if !has {
			shown.R *= 0.6
		}
		if m != nil && m.Cascade && f.Moved {
			trails = append(trails, f.trail(m, has, start, end)...)
		}
		rounds := int64(0)
		if state == "pending" && now.Timer != nil {
			rounds = max(0, now.Rounds)
		}
		peel := owned && stays && own.Rounds > b.Rounds && !f.Moved
		dots = append(dots, f.dot(id, due, shown, state, rounds, peel))
	}
	opening := timersIn(f.Opening)
	for i := range f.Earlier {
		m := &f.Earlier[i]
		a, has := opening[m.ID]
		b, stays := after[m.ID]
		if m.Cascade && has && stays {
			trails = append(trails, f.trail(m, true, f.placeOf(f.Opening, a), f.placeOf(f.After, b))...)
		}
	}
	return dots, trails
}

// bundles returns discs with the numbers of timers that are not drawn by themselves.
func (f *Face) bundles(places []Place) (list []shape) {
	for _, pl := range f.bunches(places) {
		label, index := strconv.Itoa(pl.Count), 0
		pl.Count = 1
		if f.kind() == "list" {
			pl.Count, index = faceDots+1, listRoomy-1
		}
		at := f.spotIn(places, &pl, index)
		in := []shape{{name: "circle", attrs: []string{"class", "body", "r", fix(at.R)}}}
		if at.R > labelLeast {
			in = append(in, shape{name: "text", attrs: []string{"font-size", fontSize(at.R, label)}, text: label})
		}
		list = append(list, shape{name: "g", attrs: []string{"class", "bundle", "transform", "translate(" + pair(at.X, at.Y) + ")"}, in: in})
	}
	return list
}

func fontSize(r float64, label string) string {
	switch n := len(label); {
	case n > 3:
		return fix(r * 0.56)
	case n > 2:
		return fix(r * 0.72)
	}
	return fix(r * 0.98)
}

// dot returns the element of a timer. peel is whether its outermost ring is about to go.
func (f *Face) dot(id uint32, due int64, at point, state string, rounds int64, peel bool) shape {
	var in []shape
	add := func(text, name string, attrs ...string) { in = append(in, shape{name: name, attrs: attrs, text: text}) }
	shown := int(min(rounds, faceTurns))
	for i := range shown {
		add("", "circle", "class", "turn", "r", fix(at.R+float64(i+1)*faceTurn))
	}
	if peel && rounds < faceTurns {
		add("", "circle", "class", "turn", "r", fix(at.R+float64(shown+1)*faceTurn+16*0.001), "opacity", fix(1-0.001))
	}
	add("", "circle", "class", "body", "r", fix(at.R))
	if state == "rejected" {
		c := at.R * 0.72
		add("", "path", "class", "cross", "d", "M"+pair(-c, c)+"L"+pair(c, -c))
	}
	if at.R > labelLeast {
		label := num(due)
		if f.Until >= 1000 {
			label = string(rune('A' + (f.First(id)-1)%26))
		}
		add(label, "text", "font-size", fontSize(at.R, label))
	}
	if rounds > faceTurns {
		add(num(rounds), "text", "class", "many", "x", fix(at.R+faceTurn*faceTurns+4), "y", fix(-at.R))
	}
	class := "dot c" + strconv.Itoa(int((f.First(id)+colours-1)%colours)) + " " + state
	return shape{name: "g", attrs: []string{"class", class, "data-id", strconv.FormatUint(uint64(id), 10), "transform", "translate(" + pair(at.X, at.Y) + ")"}, in: in}
}

// leg is a part of a timer's way; along is whether it follows the rings.
type leg struct {
	from, to point
	along    bool
	other    bool // whether it is not drawn in a trail
}

// at returns the point of the leg at u, from 0 to 1.
func (l leg) at(f *Face, u float64) (x, y float64) {
	if !l.along || f.kind() != "ring" {
		return l.from.X + (l.to.X-l.from.X)*u, l.from.Y + (l.to.Y-l.from.Y)*u
	}
	from := math.Atan2(l.from.Y-centre, l.from.X-centre)
	turn := modulo(math.Atan2(l.to.Y-centre, l.to.X-centre)-from+math.Pi, 2*math.Pi) - math.Pi
	ra, rb := math.Hypot(l.from.X-centre, l.from.Y-centre), math.Hypot(l.to.X-centre, l.to.Y-centre)
	w := 1 - math.Pow(1-u, 2.2)
	if ra < rb {
		w = math.Pow(u, 2.2)
	}
	return polar(ra+(rb-ra)*w, from+turn*u)
}

// trail returns the trail of a timer that came from start to end.
func (f *Face) trail(m *FaceMove, placed bool, start, end point) []shape {
	var way []leg
	at := start
	for i, stop := range m.Stops {
		switch {
		case stop.Kind == "gone":
			way = append(way, leg{from: at, to: at, other: true})
		case stop.Kind != "":
			way = append(way, leg{from: at, to: end, other: true})
		default:
			to := end
			if i < len(m.Stops)-1 {
				to = f.spotIn(f.After, &Place{Level: stop.Level, Slot: stop.Slot, Count: 1}, 0)
			}
			way = append(way, leg{from: at, to: to, along: placed, other: !placed})
			at, placed = to, true
		}
	}
	var points [][2]float64
	for i := range 41 {
		v := float64(i) / 40
		k := min(len(way)-1, int(v*float64(len(way))))
		if way[k].other {
			continue
		}
		x, y := way[k].at(f, v*float64(len(way))-float64(k))
		if math.Hypot(x-end.X, y-end.Y) > end.R+8 {
			points = append(points, [2]float64{x, y})
		}
	}
	if len(points) < 2 {
		return nil
	}
	d := "M"
	for i, p := range points {
		if i > 0 {
			d += "L"
		}
		d += pair(p[0], p[1])
	}
	ex, ey := points[len(points)-1][0], points[len(points)-1][1]
	long := math.Hypot(end.X-ex, end.Y-ey)
	nx, ny := (end.X-ex)/long, (end.Y-ey)/long
	return []shape{{name: "g", attrs: []string{"opacity", "1"}, in: []shape{
		{name: "path", attrs: []string{"class", "trail", "d", d}},
		{name: "circle", attrs: []string{"class", "left", "cx", fix(start.X), "cy", fix(start.Y), "r", fix(start.R), "opacity", "1"}},
		{name: "path", attrs: []string{"class", "trailhead", "d", "M" + pair(ex+nx*7, ey+ny*7) + "L" + pair(ex-ny*6, ey+nx*6) + "L" + pair(ex+ny*6, ey-nx*6) + "Z"}},
	}}}
}
