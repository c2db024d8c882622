package templates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// linux returns a lane of nine levels of 64 slots with the given places.
func linux(until int64, places ...Place) Lane {
	l := Lane{ID: "linux", Algorithm: "linux", Shape: "ring", Until: until, Places: places}
	for level := range 9 {
		l.Levels = append(l.Levels, Level{Level: level, Slots: 64, Width: 1 << (3 * level), Hand: 0})
	}
	return l
}

func TestRowsShownAreThoseReached(t *testing.T) {
	for _, c := range []struct {
		until int64
		level int // of a timer, -1: none
		want  int
	}{{0, -1, 1}, {62, -1, 1}, {63, -1, 2}, {503, -1, 2}, {504, -1, 3}, {5000, -1, 4}, {5000, 6, 7}, {1 << 40, -1, 9}} {
		l := linux(c.until)
		if c.level >= 0 {
			l.Places = []Place{place(c.level, 3, 1)}
		}
		if got := rowsShown(&l); got != c.want {
			t.Errorf("until %d, a timer at level %d: %d rows, want %d", c.until, c.level, got, c.want)
		}
	}
}

func TestRowsStayApart(t *testing.T) {
	for levels := 1; levels <= 9; levels++ {
		for level := range levels {
			r := rowAt(level, levels, 64)
			if r.High < 5 || r.Top+r.High > rowsBottom {
				t.Errorf("row %d of %d is %g high and ends at %g", level, levels, r.High, r.Top+r.High)
			}
			if next := rowAt(level+1, levels, 64); level+1 < levels && r.Top+r.High > next.Top-rowsHead {
				t.Errorf("row %d of %d runs into the words of the next", level, levels)
			}
		}
	}
}

func TestDotsOfACellAreInIt(t *testing.T) {
	for _, count := range []int{1, 2, 20} {
		l := linux(5000, place(1, 63, count))
		r := rowAt(1, rowsShown(&l), 64)
		for i := range count {
			p := rowSpot(&l, &l.Places[0], i)
			if p.X < rowsLeft+63*r.Wide || p.X > rowsLeft+64*r.Wide || p.Y < r.Top || p.Y > r.Top+r.High {
				t.Errorf("timer %d of %d is at %g, %g", i, count, p.X, p.Y)
			}
		}
	}
}

func TestWordOfOccupiedSlots(t *testing.T) {
	l := linux(5000, place(0, 0, 1), place(0, 5, 3), place(0, 63, 1), place(1, 4, 1))
	l.Algorithm = "tokio"
	p := pageOf(l)
	if got := p.rowWords(&l, &l.Levels[0]); got != "8000000000000021" {
		t.Errorf("slots 0, 5 and 63 are the word %s", got)
	}
	if got := p.rowWords(&l, &l.Levels[2]); got != "0000000000000000" {
		t.Errorf("no slot is the word %s", got)
	}
}

func TestShadesShowHowFull(t *testing.T) {
	l := linux(5000, place(0, 1, 1), place(0, 2, 7), place(0, 3, 8), place(0, 4, 64))
	for k, path := range rowAt(0, 4, 64).shades(&l, 0) {
		if want := rowAt(0, 4, 64).cellPath(k+1, 0); path != want {
			t.Errorf("shade %d is %q, want the cell %q", k, path, want)
		}
	}
}

func TestBias(t *testing.T) {
	for _, c := range []struct {
		lane Lane
		want string
	}{
		{Lane{Algorithm: "kafka", Exact: true}, "exact"}, {Lane{Algorithm: "kafka"}, "early"}, {Lane{Algorithm: "netty"}, "late"},
		{Lane{Algorithm: "linux"}, "late"}, {Lane{Algorithm: "lk668"}, "both"}, {Lane{Algorithm: "rounds", Params: map[string]any{"variant": "naive"}}, "late"},
		{Lane{Algorithm: "rounds", Params: map[string]any{"variant": "procinc"}}, "both"}, {Lane{Algorithm: "simple", Params: map[string]any{"rounding": "floor"}}, "early"},
		{Lane{Algorithm: "hierarchical", Params: map[string]any{"migration": "one"}}, "both"}, {Lane{Algorithm: "hierarchical", Params: map[string]any{"migration": "full"}}, "late"},
	} {
		if got := biasOf(&c.lane); got != c.want {
			t.Errorf("%s %v is called %s, want %s", c.lane.Algorithm, c.lane.Params, got, c.want)
		}
		if _, ok := static.Texts("en")["lane.bias."+c.want]; !ok {
			t.Errorf("there is no word for %s", c.want)
		}
	}
}

func TestQueuesInOrderAndBounded(t *testing.T) {
	l := ring(8)
	l.Algorithm = "kafka"
	for i := range queueShown + 3 {
		l.Queue = append(l.Queue, Bucket{Level: 0, Slot: i, Due: int64(10 * i)})
	}
	items := render(t, pageOf(l)).Find(".queue li")
	if items.Length() != queueShown+1 || items.First().Find("b").Text() != "0" || strings.TrimSpace(items.Last().Text()) != "+3" {
		t.Errorf("%d entries, from %q to %q", items.Length(), items.First().Text(), items.Last().Text())
	}
	if got := render(t, pageOf(l)).Find(".queue-name").Text(); !strings.HasSuffix(got, fmt.Sprint(" · ", queueShown+3)) {
		t.Errorf("the queue is called %q", got)
	}
	n := ring(8, place(-1, 0, 2), place(0, 3, 2))
	n.Algorithm = "netty"
	n.Levels = append(n.Levels, Level{Level: -1, Hand: -1})
	n.Places[1].Timers[1].ID, n.Places[1].Timers[1].Name, n.Places[1].Timers[1].Marked = 9, "gone", true
	queues := render(t, pageOf(n)).Find(".queue")
	if queues.Length() != 2 || queues.First().Find("b").Length() != 2 || queues.Last().Find("b").Text() != "gone" {
		t.Errorf("netty's queues are %q", queues.Text())
	}
}

func TestChainsJoinSortedSlots(t *testing.T) {
	l := ring(8, place(0, 1, 3), place(0, 2, 1), place(0, 3, chainMax+1))
	if got := chains(&l); got != "" {
		t.Errorf("a lane that sorts no slot has the lines %q", got)
	}
	l.Algorithm = "hashed-sorted"
	if got := strings.Count(chains(&l), "L"); got != 2 {
		t.Errorf("three timers in order are joined by %d lines, want 2", got)
	}
}
