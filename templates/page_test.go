package templates

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

// ring returns a lane of one level with the given places.
func ring(slots int, places ...Place) Lane {
	l := Lane{ID: "one", Algorithm: "simple", Title: "Simple wheel", Geometry: "words", Exact: true, Shape: "ring",
		Levels: []Level{{Level: 0, Slots: slots, Width: 1, Hand: 0}}, Places: places}
	for _, p := range places {
		l.Totals.Live += int64(p.Count)
	}
	return l
}

// place returns a place with count timers, of which the first TimersShown are named.
func place(level, slot, count int) Place {
	p := Place{Level: level, Slot: slot, Count: count}
	for i := range min(count, TimersShown) {
		p.Timers = append(p.Timers, Timer{ID: uint32(i + 1), Name: fmt.Sprintf("task%d", i+1), Due: int64(slot)})
	}
	return p
}

// pageOf returns a page of the given lanes whose texts are their keys.
func pageOf(lanes ...Lane) Page {
	return Page{Lang: "en", Name: "three-slots", Title: "Three slots", Tick: "1ms", Until: 12, Now: 3, Seq: 9, Lanes: lanes,
		Scenarios: []Choice{{Name: "three-slots", Title: "Three slots", Selected: true}, {Name: "other", Title: "Other"}},
		Texts:     Texts{"player.play": "Play", "player.time": "Time"}}
}

// render returns the page's document.
func render(t *testing.T, p Page) *goquery.Document {
	t.Helper()
	var b strings.Builder
	ctx := templ.WithNonce(context.Background(), "n0nce")
	if err := PageView(p).Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attr(s *goquery.Selection, name string) string { return s.AttrOr(name, "absent") }

func TestPageShowsItsCursor(t *testing.T) {
	main := render(t, pageOf(ring(8))).Find("main")
	if attr(main, "data-now") != "3" || attr(main, "data-seq") != "9" {
		t.Errorf("main has now %s, seq %s; want 3, 9", attr(main, "data-now"), attr(main, "data-seq"))
	}
}

func TestLaneHandles(t *testing.T) {
	l := ring(8, place(0, 4, 1))
	l.Totals = Totals{Live: 1, Fired: 2, Cancelled: 3, Rejected: 4, Early: 5, Late: 6}
	l.Cost = Cost{Tick: 7, Worst: 8, WorstAt: 2, Total: 9}
	lane := render(t, pageOf(l)).Find("section[data-lane]")
	if attr(lane, "data-lane") != "one" || attr(lane, "data-algorithm") != "simple" {
		t.Errorf("the lane is %s, %s", attr(lane, "data-lane"), attr(lane, "data-algorithm"))
	}
	want := map[string]string{
		"data-total=live": "1", "data-total=fired": "2", "data-total=cancelled": "3", "data-total=rejected": "4",
		"data-total=early": "5", "data-total=late": "6", "data-cost=tick": "7", "data-cost=worst": "8", "data-cost=total": "9",
	}
	for handle, number := range want {
		if got := lane.Find("[" + handle + "]"); got.Length() != 1 || got.Text() != number {
			t.Errorf("[%s] says %q %d times, want %q once", handle, got.Text(), got.Length(), number)
		}
	}
	if lane.Find("section").Length() != 0 {
		t.Error("a section is inside a lane's")
	}
}

func TestPlaceNamesTwentyTimersThenCounts(t *testing.T) {
	for _, count := range []int{1, 20, 21, 3000} {
		row := render(t, pageOf(ring(8, place(0, 4, count)))).Find("section table tr[data-level]")
		if attr(row, "data-level") != "0" || attr(row, "data-slot") != "4" || attr(row, "data-count") != fmt.Sprint(count) {
			t.Errorf("%d timers: row is %s/%s/%s", count, attr(row, "data-level"), attr(row, "data-slot"), attr(row, "data-count"))
		}
		var names []string
		row.Find(".timer").Each(func(_ int, s *goquery.Selection) { names = append(names, s.Text()) })
		if len(names) != min(count, 20) || names[0] != "task1" || names[len(names)-1] != fmt.Sprintf("task%d", min(count, 20)) {
			t.Errorf("%d timers: named are %v", count, names)
		}
		want := ""
		if count > 20 {
			want = fmt.Sprintf("+%d", count-20)
		}
		if got := row.Find(".more").Text(); got != want {
			t.Errorf("%d timers: the rest is %q, want %q", count, got, want)
		}
	}
}

func TestLargeTablesNameTheSame(t *testing.T) {
	var places []Place
	for slot := range placesRich + 1 {
		places = append(places, place(0, slot, 21))
	}
	rows := render(t, pageOf(ring(100, places...))).Find("tr[data-slot]")
	if rows.Length() != len(places) || rows.Find(".timer").Length() != 0 {
		t.Errorf("%d rows with %d elements, want %d with none", rows.Length(), rows.Find(".timer").Length(), len(places))
	}
	cell := strings.Fields(rows.Last().Find("td").Last().Text())
	if len(cell) != 21 || cell[0] != "task1" || cell[19] != "task20" || cell[20] != "+1" {
		t.Errorf("the last row names %v", cell)
	}
}

// A table has a row for each of PlacesMax places, of which the first placesShown are visible.
func TestTablesEndSomewhere(t *testing.T) {
	for _, c := range []struct {
		count, visible, rows int
		foot                 string
	}{{0, 0, 0, ""}, {placesShown, placesShown, placesShown, ""}, {placesShown + 1, placesShown, placesShown + 1, "1 more place"},
		{PlacesMax + 83616, placesShown, PlacesMax, fmt.Sprint(PlacesMax+83616-placesShown, " more places")}} {
		l := Lane{ID: "one", Algorithm: "heap", Shape: "heap", Arity: 2}
		for index := range c.count {
			l.Places = append(l.Places, Place{Slot: index, Count: 1})
		}
		p := pageOf(l)
		p.Texts["table.rest"] = "{n} more {n|place|places}"
		table := render(t, p).Find("section table")
		_, hidden := table.Find("tfoot").Attr("hidden")
		if foot := strings.TrimSpace(table.Find("tfoot").Text()); hidden != (c.foot == "") || !hidden && foot != c.foot {
			t.Errorf("%d places: the table ends with %q, hidden %v; want %q", c.count, foot, hidden, c.foot)
		}
		if rows, visible := table.Find("tr[data-level]").Length(), table.Find("tbody:not([hidden]) tr").Length(); rows != c.rows || visible != c.visible {
			t.Errorf("%d places have %d rows, %d of them visible; want %d, %d", c.count, rows, visible, c.rows, c.visible)
		}
	}
}

func TestMarkedTimersAreElementsInLargeTables(t *testing.T) {
	var places []Place
	for slot := range placesRich + 1 {
		places = append(places, place(0, slot, 2))
	}
	places[3].Timers[1].Marked = true
	rows := render(t, pageOf(ring(100, places...))).Find("tr[data-slot]")
	if got := rows.Eq(3).Find(".timer.marked").Text(); got != "task2" || rows.Find(".timer").Length() != 2 {
		t.Errorf("marked is %q, %d elements in all", got, rows.Find(".timer").Length())
	}
}

func TestEmptyLaneHasATextInsteadOfRows(t *testing.T) {
	lane := render(t, pageOf(ring(8))).Find("section[data-lane]")
	if lane.Find("tr[data-slot]").Length() != 0 {
		t.Error("an empty lane has rows")
	}
	if _, hidden := lane.Find(".none").Attr("hidden"); hidden {
		t.Error("an empty lane does not say that it is empty")
	}
}

func TestPlacesAreInOrder(t *testing.T) {
	l := ring(3, place(-1, 0, 2), place(0, 1, 1), place(1, 2, 1))
	l.Levels = append(l.Levels, Level{Level: 1, Slots: 3, Width: 3, Hand: 1}, Level{Level: -1, Hand: -1})
	var got []string
	render(t, pageOf(l)).Find("tr[data-slot]").Each(func(_ int, s *goquery.Selection) {
		got = append(got, attr(s, "data-level")+"/"+attr(s, "data-slot"))
	})
	if want := "-1/0 0/1 1/2"; strings.Join(got, " ") != want {
		t.Errorf("rows are %v, want %s", got, want)
	}
}

func TestNamesOfMarkupStayNames(t *testing.T) {
	const name = `<img src=x onerror=alert(1)>"'&</td>`
	pl := place(0, 4, 1)
	pl.Timers[0].Name = name
	p := pageOf(ring(8, pl))
	p.Title, p.Summary, p.Question, p.Problem = name, name, name, name
	p.Scenarios[1].Title = name
	p.Lanes[0].ID = name
	doc := render(t, p)
	if doc.Find("img").Length() != 0 {
		t.Fatal("a name became an element")
	}
	for _, where := range []string{"tr .timer", "#title", "#summary", "#question span", "#problem span", "datalist#scenarios option:nth-child(2)", "#scenario-title", ".kind code"} {
		if got := doc.Find(where).Text(); got != name {
			t.Errorf("%s says %q", where, got)
		}
	}
}

func TestButtonsOfThePlayer(t *testing.T) {
	doc := render(t, pageOf(ring(8)))
	want := map[string]string{
		"restart": "", "tick-back": "t=2", "step-back": "", "event-back": "seq=8",
		"event-next": "seq=10", "step-next": "", "tick-next": "t=4", "fast": "t=12",
	}
	for do, query := range want {
		b := doc.Find(`.player button[data-do="` + do + `"]`)
		got := ""
		if name, ok := b.Attr("name"); ok {
			got = name + "=" + attr(b, "value")
		}
		if b.Length() != 1 || got != query {
			t.Errorf("button %s opens %q, want %q", do, got, query)
		}
	}
	if got := attr(doc.Find("#play"), "aria-label"); got != "Play" {
		t.Errorf("the play button is called %q", got)
	}
	slider := doc.Find(`[role="slider"]`)
	if attr(slider, "aria-label") != "Time" || attr(slider, "max") != "12" || attr(slider, "value") != "3" {
		t.Errorf("the slider is %s, %s of %s", attr(slider, "aria-label"), attr(slider, "value"), attr(slider, "max"))
	}
}

func TestScriptsCarryTheNonce(t *testing.T) {
	p := pageOf(ring(8))
	p.Boot = map[string]string{"x": "</script><b>"}
	p.Module = []string{"js/app.js"}
	doc := render(t, p)
	scripts := doc.Find("script")
	if scripts.Length() < 4 {
		t.Fatalf("%d scripts", scripts.Length())
	}
	scripts.Each(func(_ int, s *goquery.Selection) {
		if attr(s, "nonce") != "n0nce" {
			t.Errorf("a script has nonce %s", attr(s, "nonce"))
		}
	})
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has an inline %s, which the policy refuses", goquery.NodeName(s), a.Key)
			}
		}
	})
}

func TestStoryAndProblem(t *testing.T) {
	p := pageOf(ring(8))
	p.Texts = Texts{"story.start": "before", "story.event": "t {tick} e {seq}"}
	if got := render(t, p).Find(`[role="status"]`).Text(); got != "t 3 e 9" {
		t.Errorf("the story is %q", got)
	}
	p.Now, p.Seq = 0, 0
	doc := render(t, p)
	if got := doc.Find(`[role="status"]`).Text(); got != "before" {
		t.Errorf("the story before anything is %q", got)
	}
	if _, hidden := doc.Find("#problem").Attr("hidden"); !hidden {
		t.Error("a problem is shown where there is none")
	}
}

func TestLanguageLinksKeepTheCursor(t *testing.T) {
	p := pageOf(ring(8))
	p.Name, p.Base = "a&b", "/lab"
	got := attr(render(t, p).Find(`[data-lang-to="zh"]`), "href")
	if want := "/lab/?scenario=a%26b&lang=zh&t=3&seq=9"; got != want {
		t.Errorf("the link is %s, want %s", got, want)
	}
}
