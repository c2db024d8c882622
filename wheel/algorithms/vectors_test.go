package algorithms

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// vector is one case of the reference: a timer scheduled at now on a wheel created at start, and
// its events.
type vector struct {
	Tag       string
	Tick      int64 // width of a slot
	WheelSize int64 `json:"wheel_size"`
	Variant   string
	Rounding  string
	Start     wheel.Tick
	Now       wheel.Tick
	Delay     wheel.Tick
	Expect    struct {
		Status   string // ok, immediate, reject
		Level    *int8
		Slot     *uint32
		Rounds   *int64
		FiresAt  *wheel.Tick `json:"fires_at"`
		Cascades []struct {
			At   wheel.Tick
			From vectorPlace
			To   json.RawMessage // a place, or "fire"
		}
		NoneFloor    *wheel.Tick `json:"nichols_none_floor"`
		NoneCeil     *wheel.Tick `json:"nichols_none_ceil"`
		NoneNearest  *wheel.Tick `json:"nichols_none_nearest"`
		OneFloor     *wheel.Tick `json:"nichols_one_floor"`
		OneCeil      *wheel.Tick `json:"nichols_one_ceil"`
		OneMigrateAt *wheel.Tick `json:"nichols_one_migrates_at"`
	}
}

type vectorPlace struct {
	Level int8
	Slot  uint32
}

// readVectors decodes testdata/name.json.
func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// eachVector runs every case of a file, which must have at least `least`.
func eachVector(t *testing.T, name string, least int, test func(*testing.T, *vector)) {
	t.Helper()
	var file struct{ Cases []vector }
	readVectors(t, name, &file)
	if len(file.Cases) < least {
		t.Fatalf("%s has %d cases, want %d", name, len(file.Cases), least)
	}
	for k := range file.Cases {
		v := &file.Cases[k]
		t.Run(fmt.Sprintf("%d now=%d delay=%d", k, v.Now, v.Delay), func(t *testing.T) { test(t, v) })
	}
}

// life is the result for the one timer of a case.
type life struct {
	err     error
	runs    int
	first   *wheel.Event // its place
	emitted []timedEvent // all of its events, with the tick of each
	fires   wheel.Tick   // -1: never
}

// live runs the case on a wheel until the timer has ended.
func (v *vector) live(t *testing.T, id string, p catalog.Params) life {
	t.Helper()
	return v.liveFrom(t, id, p, v.Start)
}

// liveFrom is live on a wheel that starts at a different tick from that of the case.
func (v *vector) liveFrom(t *testing.T, id string, p catalog.Params, start wheel.Tick) (x life) {
	t.Helper()
	w, err := New(id, p, start)
	if err != nil {
		t.Fatal(err)
	}
	jump(w, v.Now)
	log := wheel.Log{Keep: true}
	w.Observe(&log)
	_, x.runs, x.err = w.Schedule(wheel.Spec{Due: v.Now + v.Delay, Key: 1})
	x.fires = -1
	for from := 0; ; {
		for ; from < len(log.Events); from++ {
			e := log.Events[from]
			x.emitted = append(x.emitted, timedEvent{w.Now(), e})
			if e.Kind == wheel.KindPlace && x.first == nil {
				x.first = &e
			}
			if e.Kind == wheel.KindExpire {
				x.fires = w.Now()
			}
		}
		at, ok := w.Next()
		if !ok {
			return x
		}
		jump(w, at)
	}
}

// agrees compares the timer's placement and its end with what the case expects.
func (v *vector) agrees(t *testing.T, x life) {
	t.Helper()
	want := &v.Expect
	if (x.err == wheel.ErrRange) != (want.Status == "reject") || (x.runs == 1) != (want.Status == "immediate") {
		t.Fatalf("%d runs at once, error %v, want status %s", x.runs, x.err, want.Status)
	}
	if want.FiresAt == nil {
		if x.fires >= 0 {
			t.Fatalf("fires at %d, want never", x.fires)
		}
		return
	}
	if x.fires != *want.FiresAt {
		t.Fatalf("fires at %d, want %d", x.fires, *want.FiresAt)
	}
	if want.Status != "ok" {
		return
	}
	if x.first.ToLevel != *want.Level || x.first.ToSlot != *want.Slot {
		t.Fatalf("placed at level %d slot %d, want %d %d", x.first.ToLevel, x.first.ToSlot, *want.Level, *want.Slot)
	}
}

func TestSimpleVectors(t *testing.T) {
	eachVector(t, "simple", 589, func(t *testing.T, v *vector) {
		v.agrees(t, v.live(t, "simple", catalog.Params{"slots": v.WheelSize, "width": v.Tick, "rounding": v.Rounding}))
	})
}

func TestRoundsVectors(t *testing.T) {
	eachVector(t, "rounds", 812, func(t *testing.T, v *vector) {
		x := v.live(t, "rounds", catalog.Params{"slots": v.WheelSize, "width": v.Tick, "variant": v.Variant, "rounding": v.Rounding})
		v.agrees(t, x)
		if v.Expect.Status == "ok" && x.first.X != *v.Expect.Rounds {
			t.Fatalf("%d rounds, want %d", x.first.X, *v.Expect.Rounds)
		}
	})
}

// paperClock is the worked example of Varghese and Lauck: seconds, minutes, hours and a hundred
// days.
func paperClock(more ...string) catalog.Params {
	p := catalog.Params{"slots": sizes(60, 60, 24, 100), "placement": "digits"}
	for k := 0; k < len(more); k += 2 {
		p[more[k]] = more[k+1]
	}
	return p
}

// The wheel agrees with every case of the paper's clock: placement, each cascade and the last tick.
func TestPaperVectors(t *testing.T) {
	eachVector(t, "scheme7_paper", 186, func(t *testing.T, v *vector) {
		x := v.live(t, "hierarchical", paperClock())
		v.agrees(t, x)
		var got, want []string
		for _, e := range x.emitted {
			if e.Kind == wheel.KindCascade {
				got = append(got, fmt.Sprintf(`%d %d/%d {"level":%d,"slot":%d}`, e.at, e.FromLevel, e.FromSlot, e.ToLevel, e.ToSlot))
			} else if e.Kind == wheel.KindExpire && e.FromLevel != wheel.NoLevel {
				got = append(got, fmt.Sprintf(`%d %d/%d "fire"`, e.at, e.FromLevel, e.FromSlot))
			}
		}
		for _, c := range v.Expect.Cascades {
			to := strings.ReplaceAll(string(c.To), " ", "")
			want = append(want, fmt.Sprintf(`%d %d/%d %s`, c.At, c.From.Level, c.From.Slot, to))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("moves\n%v, want\n%v", got, want)
		}
	})
}

// Nichols' variants on the paper's clock: when each fires, and when the timer of migration one
// moves.
func TestNicholsVectors(t *testing.T) {
	tried := 0
	eachVector(t, "scheme7_paper", 186, func(t *testing.T, v *vector) {
		for _, c := range []struct {
			migration, round string
			fires            *wheel.Tick
		}{
			{"none", "floor", v.Expect.NoneFloor}, {"none", "ceil", v.Expect.NoneCeil}, {"none", "nearest", v.Expect.NoneNearest},
			{"one", "floor", v.Expect.OneFloor}, {"one", "ceil", v.Expect.OneCeil},
		} {
			if c.fires == nil {
				continue
			}
			tried++
			x := v.live(t, "hierarchical", paperClock("migration", c.migration, "round", c.round))
			if x.fires != *c.fires {
				t.Errorf("%s %s fires at %d, want %d", c.migration, c.round, x.fires, *c.fires)
			}
			if c.migration == "one" {
				meetsOnce(t, x, *v.Expect.OneMigrateAt)
			}
		}
	})
	if tried < 2*150+3*172 {
		t.Fatalf("%d fire times tried", tried)
	}
}

// meetsOnce checks that the timer's first slot was reached at `at`, that the timer then moved or
// fired, and that it did not move at any other time.
func meetsOnce(t *testing.T, x life, at wheel.Tick) {
	t.Helper()
	moves := 0
	for _, e := range x.emitted {
		if e.Kind == wheel.KindCascade {
			moves++
			if e.at != at {
				t.Errorf("moves at %d, want %d", e.at, at)
			}
		}
	}
	if moves > 1 || moves == 0 && x.fires != at {
		t.Errorf("moves %d times and fires at %d, want one move at %d", moves, x.fires, at)
	}
}
