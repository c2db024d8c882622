package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// event is an event of the file, with the fields that a reader uses.
type event struct {
	Name, Cat, Ph, ID, BP string
	Ts, Dur               int64
	Pid, Tid              int
	Args                  map[string]any
}

type file struct {
	Metadata    map[string]any
	TraceEvents []event
}

// largest is the largest number of timers of a scenario that is tested here.
var largest = testkit.Pick(1000, 5000)

// everyScenario runs f on the built-in scenarios.
func everyScenario(t *testing.T, f func(t *testing.T, p *program.Program)) {
	for _, b := range library.Builtins() {
		p, err := program.Load(b.Data)
		if err != nil {
			t.Fatal(err)
		}
		if p.Timers() > largest {
			continue
		}
		t.Run(b.Name, func(t *testing.T) { f(t, p) })
	}
}

func builtin(t *testing.T, name string) *program.Program {
	t.Helper()
	data, ok := library.Builtin(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func perfettoOf(t *testing.T, p *program.Program) (file, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(t.Context(), &b, p, "perfetto", Options{}); err != nil {
		t.Fatal(err)
	}
	var f file
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	var whole struct {
		DisplayTimeUnit string
		file
	}
	if err := d.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	f = whole.file
	return f, b.Bytes()
}

// countKinds returns the number of events of each kind in a run.
func countKinds(t *testing.T, p *program.Program) (n [wheel.NumKinds]int) {
	t.Helper()
	e := plantest.Engine(t, p)
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		for _, r := range e.Tick(at, nil) {
			n[r.Kind]++
		}
	}
	return n
}

func TestPerfettoHasAnArrowForEachPlacement(t *testing.T) {
	everyScenario(t, func(t *testing.T, p *program.Program) {
		f, text := perfettoOf(t, p)
		if !bytes.HasPrefix(text, []byte(`{"`)) {
			t.Errorf("begins %.20q: readers know the format by its first two bytes", text)
		}
		if f.Metadata["digest"] != p.Digest() {
			t.Errorf("the digest is %v, want %s", f.Metadata["digest"], p.Digest())
		}
		n := countKinds(t, p)
		phases := map[string]int{}
		for _, e := range f.TraceEvents {
			phases[e.Ph]++
		}
		all := 0
		for _, k := range n {
			all += k
		}
		for ph, want := range map[string]int{
			"X": all, "s": n[wheel.KindSchedule], "t": n[wheel.KindPlace] + n[wheel.KindCascade], "f": n[wheel.KindExpire],
			"b": n[wheel.KindSchedule],
		} {
			if phases[ph] != want {
				t.Errorf("%d events of phase %s, want %d", phases[ph], ph, want)
			}
		}
	})
}

// Slices of a thread must nest. These do not overlap at all.
func TestPerfettoSlicesDoNotOverlap(t *testing.T) {
	everyScenario(t, func(t *testing.T, p *program.Program) {
		f, _ := perfettoOf(t, p)
		type track struct{ pid, tid int }
		until := map[track]int64{}
		for _, e := range f.TraceEvents {
			if e.Ph != "X" {
				continue
			}
			k := track{e.Pid, e.Tid}
			if e.Ts < until[k] {
				t.Fatalf("%s at %d begins before %d, where the slice before it ends", e.Name, e.Ts, until[k])
			}
			until[k] = e.Ts + e.Dur
		}
	})
}

// A point of a flow is bound to the slice written directly before it, on the same thread. Every
// timer that ends has begun.
func TestPerfettoFlowsAndLivesAreBound(t *testing.T) {
	everyScenario(t, func(t *testing.T, p *program.Program) {
		f, _ := perfettoOf(t, p)
		var slice event
		lives := map[string]bool{}
		names := map[[2]int]bool{}
		waiting := map[int]float64{}
		for i, e := range f.TraceEvents {
			switch e.Ph {
			case "X":
				slice = e
				if !names[[2]int{e.Pid, e.Tid}] {
					t.Fatalf("event %d: track %d of process %d has no name", i, e.Tid, e.Pid)
				}
			case "M":
				names[[2]int{e.Pid, e.Tid}] = true
			case "s", "t", "f":
				if e.Ts != slice.Ts || e.Tid != slice.Tid || e.Pid != slice.Pid {
					t.Fatalf("event %d: %+v is not on %+v", i, e, slice)
				}
				if e.Ph == "f" && e.BP != "e" {
					t.Fatalf("event %d: the end would bind to the next slice", i)
				}
			case "b":
				lives[e.ID] = true
			case "e":
				if !lives[e.ID] {
					t.Fatalf("event %d: life %s ends and has not begun", i, e.ID)
				}
				delete(lives, e.ID)
			case "C":
				if e.Name == "waiting" {
					waiting[e.Pid] = e.Args["timers"].(float64)
				}
			}
		}
		sum := 0.0
		for v := range maps.Values(waiting) {
			sum += v
		}
		if float64(len(lives)) != sum {
			t.Errorf("%d lives never end, %v timers wait", len(lives), sum)
		}
	})
}

func TestPerfettoMakesRoomForATickWithManyEvents(t *testing.T) {
	p, err := program.Load([]byte(`{"wheelscope":1,"lanes":[{"algorithm":"simple","slots":16}],
		"workload":{"generate":[{"prefix":"t","seed":1,"count":2000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":3}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := perfettoOf(t, p)
	if got := f.Metadata["tick_us"]; got != 10_000.0 {
		t.Errorf("a tick is %v µs, want 10000 for its 4,000 events", got)
	}
}

func TestPerfettoRefusesWhatDoesNotFit(t *testing.T) {
	p, err := program.Load([]byte(`{"wheelscope":1,"until":4000000000000000000,"lanes":[{"algorithm":"heap"}],"workload":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	err = Write(t.Context(), &b, p, "perfetto", Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "until: ") || b.Len() > 0 {
		t.Errorf("got %v and %d bytes", err, b.Len())
	}
}

// The file holds the seed of each generated group, with all its 64 bits.
func TestPerfettoHasSeeds(t *testing.T) {
	const rest = `"count":2,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":3}`
	for groups, want := range map[string]any{
		"":                                     nil,
		`{"prefix":"a","seed":7,` + rest + `}`: "7",
		`{"prefix":"a","seed":18446744073709551615,` + rest + `},{"prefix":"b",` + rest + `}`: "18446744073709551615, 0",
	} {
		p, err := program.Load([]byte(`{"wheelscope":1,"name":"n","lanes":[{"algorithm":"heap"}],"workload":{"generate":[` + groups + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		f, _ := perfettoOf(t, p)
		if m := f.Metadata; m["seed"] != want || m["scenario"] != "n" || m["digest"] != p.Digest() {
			t.Errorf("seed %v, scenario %v, digest %v; want the seed %v", m["seed"], m["scenario"], m["digest"], want)
		}
	}
}
