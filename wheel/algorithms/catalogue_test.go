package algorithms

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/binheap"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
	"github.com/wheelscope/wheelscope/wheel/scheme/rounds"
	"github.com/wheelscope/wheelscope/wheel/scheme/simple"
	"github.com/wheelscope/wheelscope/wheel/scheme/sorted"
)

// Every invalid geometry is rejected with the parameter, the value found and the values
// expected.
func TestParametersThatCannotBe(t *testing.T) {
	type p = catalog.Params
	for _, c := range []struct {
		id     string
		params p
		start  wheel.Tick
		want   string
	}{
		{"simple", p{"slots": int64(0)}, 0, "slots: 0 is not between 1 and 65536"},
		{"simple", p{"slots": int64(-3)}, 0, "slots: -3 is not between 1 and 65536"},
		{"rounds", p{"slots": int64(65537)}, 0, "slots: 65537 is not between 1 and 65536"},
		{"rounds", p{"slots": sizes(3, 4)}, 0, "slots: [3 4] is not a number between 1 and 65536"},
		{"simple", p{"width": int64(0)}, 0, "width: 0 is not between 1 and 1099511627776"},
		{"simple", p{"overflow": "drop"}, 0, `overflow: "drop" is not one of reject, list`},
		{"simple", p{"overflow": int64(1)}, 0, "overflow: 1 is not one of reject, list"},
		{"rounds", p{"variant": "late"}, 0, `variant: "late" is not one of exact, naive, procinc`},
		{"simple", p{"rounding": "down"}, 0, `rounding: "down" is not one of ceil, floor`},
		{"kafka", p{"slots": int64(1), "drive": "tick"}, 0, "slots: 1 is not between 2 and 65536"},
		{"calendar", p{"day": int64(0)}, 0, "day: 0 is not between 1 and 1099511627776"},
		{"calendar", p{"slots": int64(70000)}, 0, "slots: 70000 is not between 1 and 65536"},
		{"calendar", p{"resize": "on"}, 0, `resize: "on" is not one of auto, off`},
		{"heap", p{"arity": int64(3)}, 0, "arity: 3 is not 2 or 4"},
		{"heap", p{"arity": int64(5)}, 0, "arity: 5 is not between 2 and 4"},
		{"heap", p{"width": int64(2)}, 0, "width: 2 is not 1: nothing else is possible here"},
		{"sorted", p{"width": int64(10)}, 0, "width: 10 is not 1: nothing else is possible here"},
		{"hierarchical", p{"slots": int64(1)}, 0, "slots: 1 is not one size of 2 or more, for a wheel that grows"},
		{"hierarchical", p{"slots": "many"}, 0, "slots: many is not a number between 1 and 65536, or a list of them"},
		{"hierarchical", p{"slots": sizes()}, 0, "slots: a list of 0 is not a list of 1 to 8 sizes"},
		{"hierarchical", p{"slots": sizes(2, 2, 2, 2, 2, 2, 2, 2, 2)}, 0, "slots: a list of 9 is not a list of 1 to 8 sizes"},
		{"hierarchical", p{"slots": sizes(60, 0)}, 0, "slots[1]: 0 is not between 1 and 65536"},
		{"hierarchical", p{"slots": sizes(60, 60), "levels": int64(3)}, 0, "levels: 3 is not the number of sizes in slots, 2"},
		{"hierarchical", p{"levels": int64(9)}, 0, "levels: 9 is not between 1 and 8"},
		{"hierarchical", p{"slots": int64(65536), "levels": int64(8)}, 0,
			"slots[4]: 65536 is not within reach: a slot of this level would span more than 62 bits of base ticks"},
		{"hierarchical", p{"slots": sizes(60, 60), "width": int64(1) << 41}, 0, "width: 2199023255552 is not between 1 and 1099511627776"},
		{"hierarchical", p{"placement": "digit"}, 0, `placement: "digit" is not one of distance, digits`},
		{"hierarchical", p{"migration": "two"}, 0, `migration: "two" is not one of full, one, none`},
		{"hierarchical", p{"round": "up"}, 0, `round: "up" is not one of floor, ceil, nearest`},
		{"sorted", p{"slots": int64(8)}, 0, "slots: this is not a parameter of sorted; those are width"},
		{"simple", p{"wide": int64(8), "slotz": int64(8)}, 0, "slotz: this is not a parameter of simple; those are slots, width, overflow, rounding"},
		{"simple", p{"slots": 0}, 0, "slots: 0 is not between 1 and 65536"},
		{"sorted", nil, -1, "start: -1 is not a tick of 62 bits, 0 or more"},
		{"heap", nil, wheel.TickMax + 1, "start: 4611686018427387904 is not a tick of 62 bits, 0 or more"},
	} {
		w, err := New(c.id, c.params, c.start)
		if err == nil || err.Error() != c.want || w != nil {
			t.Errorf("%s %v: %v, want %s", c.id, c.params, err, c.want)
		}
		if pe := (*wheel.ParamError)(nil); !errors.As(err, &pe) {
			t.Errorf("%s %v: %T is no *ParamError", c.id, c.params, err)
		}
	}
	if _, err := New("splay", nil, 0); err == nil || err.Error() != `wheel: no algorithm is called "splay"` {
		t.Errorf("an unknown name: %v", err)
	}
}

// Parameters of type int are accepted too.
func TestParamsOfInt(t *testing.T) {
	w, err := New("hierarchical", catalog.Params{"slots": []int{8, 4}, "width": 10}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if l := w.Layout().Levels; len(l) != 2 || l[0].Slots != 8 || l[1].Slots != 4 || l[0].Width != 10 {
		t.Errorf("%+v", l)
	}
}

// The constructors check the same parameters as New.
func TestConstructorsCheck(t *testing.T) {
	_, ofSimple := simple.New(simple.Config{Slots: 0, Width: 1})
	_, ofRounds := rounds.New(rounds.Config{Slots: 4, Width: 0})
	_, start := rounds.New(rounds.Config{Slots: 4, Width: 1, Start: -1})
	_, none := hierarchical.New(hierarchical.Config{Width: 1})
	_, size := hierarchical.New(hierarchical.Config{Slots: []int{4, 0}, Width: 1})
	_, grow := hierarchical.New(hierarchical.Config{Slots: []int{4, 4}, Width: 1, Grow: true})
	_, heap := binheap.New(1, 0)
	_, heapStart := binheap.New(2, -1)
	_, ofSorted := sorted.New(-5)
	for k, err := range []error{ofSimple, ofRounds, start, none, size, grow, heap, heapStart, ofSorted} {
		if pe := (*wheel.ParamError)(nil); !errors.As(err, &pe) {
			t.Errorf("constructor %d: %v", k, err)
		}
	}
}

// Every entry of the catalogue builds with its defaults, and accepts them when they are given.
func TestCatalogueIsWhole(t *testing.T) {
	for _, a := range Catalogue() {
		found, ok := Lookup(a.ID)
		if !ok || found.ID != a.ID || a.Source == "" {
			t.Errorf("%s is not found, or has no source", a.ID)
		}
		filled, err := a.Fill(nil)
		if err != nil {
			t.Errorf("%s: %v", a.ID, err)
		}
		if again, err := a.Fill(filled); err != nil || len(again) != len(filled) {
			t.Errorf("%s does not take its own defaults: %v", a.ID, err)
		}
		if w, err := New(a.ID, filled, 5); err != nil || w.Now() != 5 || w.Len() != 0 || w.Check() != nil {
			t.Errorf("%s: %v", a.ID, err)
		}
		for _, p := range a.Parameters {
			if p.Type == catalog.TypeChoice && p.Default != nil && !strings.Contains(strings.Join(p.Options, " "), p.Default.(string)) {
				t.Errorf("%s.%s: the default is no option", a.ID, p.Name)
			}
		}
	}
}

// TestExact checks that Exact distinguishes lanes that fire at the due tick from others.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		id   string
		p    catalog.Params
		want bool
	}{
		{"simple", catalog.Params{}, true}, {"simple", catalog.Params{"width": int64(2)}, false},
		{"rounds", catalog.Params{}, true}, {"rounds", catalog.Params{"variant": "naive"}, false}, {"rounds", catalog.Params{"variant": "procinc"}, false},
		{"simple", catalog.Params{"rounding": "floor"}, true}, {"kafka", catalog.Params{"drive": "tick"}, true},
		{"hierarchical", catalog.Params{}, true}, {"hierarchical", catalog.Params{"migration": "none"}, false}, {"hierarchical", catalog.Params{"migration": "one"}, false},
		{"sorted", catalog.Params{}, true}, {"heap", catalog.Params{}, true}, {"list", catalog.Params{}, true}, {"linux", catalog.Params{}, false},
		{"linux-classic", catalog.Params{}, true}, {"netty", catalog.Params{}, false}, {"tokio", catalog.Params{}, false}, {"tokio", catalog.Params{"library": "tokio-util"}, false},
		{"kafka", catalog.Params{}, true}, {"kafka", catalog.Params{"width": int64(10)}, false},
		{"kafka", catalog.Params{"faults": []string{"unlocked"}}, false}, {"kafka", catalog.Params{"faults": []string{}}, true},
		{"xiaoxu", catalog.Params{}, false}, {"lk668", catalog.Params{"as": "corrected"}, false},
	} {
		a, ok := Lookup(c.id)
		if !ok {
			t.Fatal(c.id)
		}
		p, err := a.Fill(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Exact(p); got != c.want {
			t.Errorf("%s %v: exact is %v", c.id, c.p, got)
		}
	}
}
