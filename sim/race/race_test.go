package race

import (
	"reflect"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// The figures in race.json are those of the algorithms.
func TestRowsAreMeasured(t *testing.T) {
	ns := Numbers()
	ns = ns[:testkit.Pick(9, len(ns))]
	got, err := Compute(ns, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Rows()
	if len(got) != len(want) || len(got) != len(entrants) {
		t.Fatalf("%d rows, %d in the file, %d entrants", len(got), len(want), len(entrants))
	}
	for i := range got {
		n := min(len(ns), len(want[i].Points))
		if got[i].Name != want[i].Name || !reflect.DeepEqual(got[i].Points, want[i].Points[:n]) {
			t.Errorf("%s: %+v\nin the file: %+v (make race)", got[i].Name, got[i].Points, want[i].Points[:n])
		}
	}
}

// Every row has all numbers, or says why not.
func TestRowsAreComplete(t *testing.T) {
	ns := Numbers()
	if ns[0] != 10 || ns[16] != 1000 || ns[32] != 100_000 || len(ns) != 33 {
		t.Errorf("numbers %v", ns)
	}
	for _, r := range Rows() {
		if (len(r.Points) == len(ns)) != (r.Cut == "") {
			t.Errorf("%s: %d of %d numbers, cut %q", r.Name, len(r.Points), len(ns), r.Cut)
		}
		for i, p := range r.Points {
			if p.N != ns[i] || p.Schedule < 1 || p.Cancel < 1 || p.Tick < 1 || float64(p.Worst) < p.Tick || p.Bytes <= 0 {
				t.Errorf("%s: %+v", r.Name, p)
			}
		}
	}
}

// A contest measures the same as Compute, in whatever parts, and every algorithm can take part or says why not.
func TestContest(t *testing.T) {
	var lanes []scenario.LaneSpec
	for i := range algorithms.Catalogue() {
		a := &algorithms.Catalogue()[i]
		p, err := a.Fill(nil)
		if err != nil {
			continue
		}
		lanes = append(lanes, scenario.LaneSpec{ID: a.ID, Algorithm: a.ID, Params: p})
	}
	lanes = append(lanes, scenario.LaneSpec{ID: "mine", Algorithm: recorded.ID})
	c := NewContest(lanes)
	c.ns = c.ns[:2]
	for done, all := c.Done(); done < all; done, _ = c.Done() {
		if err := c.Measure(t.Context(), time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range c.Rows {
		switch {
		case r.Name == "mine" && r.Cut != "lane":
			t.Errorf("an own wheel: cut %q", r.Cut)
		case r.Name != "mine" && r.Cut == "" && len(r.Points) != 2:
			t.Errorf("%s: %d points", r.Name, len(r.Points))
		case r.Name == "heap" && !reflect.DeepEqual(r.Points, Rows()[3].Points[:2]):
			t.Errorf("heap: %+v", r.Points)
		}
		t.Log(r.Name, r.Cut, len(r.Points))
	}
}

// A row that takes too long is cut, and the others go on.
func TestContestCutsSlowRows(t *testing.T) {
	c := newContest([]entrant{entrants[4], entrants[3]}, []int{10, 100}, time.Nanosecond)
	for done, all := c.Done(); done < all; done, _ = c.Done() {
		if err := c.Measure(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if c.Rows[0].Cut != "time" || c.Rows[1].Cut != "time" || len(c.Rows[0].Points) != 0 {
		t.Errorf("%+v", c.Rows)
	}
}
