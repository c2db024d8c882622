package race

import (
	"reflect"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
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
