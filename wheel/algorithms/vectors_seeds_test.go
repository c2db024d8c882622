package algorithms

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// seedVector is one case of lk668, xiaoxu or godis, computed by the library's own code: lk668 and
// godis in seconds, xiaoxu in milliseconds.
type seedVector struct {
	Tag       string
	WheelSize int64   `json:"wheel_size"`
	TickS     float64 `json:"tick_s"`
	TickMS    float64 `json:"tick_ms"`
	NowS      float64 `json:"now_s"`
	NowMS     float64 `json:"now_ms"`
	DelayS    float64 `json:"delay_s"`
	DelayMS   float64 `json:"delay_ms"`
	Before    float64 `json:"created_before_s"`
	Times     int32   // runs after the first, as lk668 counts them
	Expect    struct {
		Slot    uint32
		Rounds  int64
		Hand    int64    `json:"current_pos"`
		FiresS  any      `json:"fires_at_s"` // a number, or a list for lk668
		FiresMS *float64 `json:"fires_at_ms"`
		Panic   string
	}
}

// nanoTick is the base tick of these cases: one nanosecond, like time.Duration.
const nanoTick = 1

// nanos converts x units, each of the given number of nanoseconds, to ticks.
func nanos(x, unit float64) wheel.Tick { return wheel.Tick(math.Round(x * unit)) }

// fires returns the ticks at which the timer of the case fires.
func (v *seedVector) fires() (at []wheel.Tick) {
	switch f := v.Expect.FiresS.(type) {
	case float64:
		return []wheel.Tick{nanos(f, 1e9)}
	case []any:
		for _, x := range f {
			at = append(at, nanos(x.(float64), 1e9))
		}
		return at
	}
	if v.Expect.FiresMS != nil {
		at = append(at, nanos(*v.Expect.FiresMS, 1e6))
	}
	return at
}

// eachSeedVector runs every case of a file, with the start at 0 and later.
func eachSeedVector(t *testing.T, name string, least int, test func(t *testing.T, v *seedVector, start wheel.Tick)) {
	t.Helper()
	var file struct{ Cases []seedVector }
	readVectors(t, name, &file)
	if len(file.Cases) < least {
		t.Fatalf("%s has %d cases, want %d", name, len(file.Cases), least)
	}
	for k := range file.Cases {
		v := &file.Cases[k]
		for _, start := range []wheel.Tick{0, 1234567891011} {
			t.Run(fmt.Sprintf("%d %s start=%d", k, v.Tag, start), func(t *testing.T) { test(t, v, start) })
		}
	}
}

// run schedules the case's timer on a published wheel and returns its place and when it fired,
// for at most the first `most` times.
func (v *seedVector) run(t *testing.T, id string, start wheel.Tick, most int) (first *wheel.Event, fired []wheel.Tick, w wheel.Observable, log *wheel.Log) {
	t.Helper()
	width, now, delay := nanos(v.TickS, 1e9)+nanos(v.TickMS, 1e6), nanos(v.NowS, 1e9)+nanos(v.NowMS, 1e6), nanos(v.DelayS, 1e9)+nanos(v.DelayMS, 1e6)
	w, err := NewIn(catalog.Env{Start: start, TickNanos: nanoTick}, id, catalog.Params{"slots": v.WheelSize, "width": width})
	if err != nil {
		t.Fatal(err)
	}
	now += start
	jump(w, now)
	log = &wheel.Log{Keep: true}
	w.Observe(log)
	s := wheel.Spec{Due: now + delay, Key: 1}
	setCreated(w, now-nanos(v.Before, 1e9))
	if v.Times != 0 {
		s.Every, s.Times = delay, v.Times
	}
	w.Schedule(s)
	for at, ok := w.Next(); ok && len(fired) < most; at, ok = w.Next() {
		for range jump(w, at) {
			fired = append(fired, at-start)
		}
	}
	for k := range log.Events {
		if e := &log.Events[k]; e.Kind == wheel.KindPlace {
			return e, fired, w, log
		}
	}
	return nil, fired, w, log
}

// agrees compares place, rounds and every tick of firing with those of the library.
func (v *seedVector) agrees(t *testing.T, id string, start wheel.Tick) {
	t.Helper()
	want := v.fires()
	first, fired, _, log := v.run(t, id, start, len(want)+1)
	if v.Expect.Panic != "" {
		if last := log.Events[len(log.Events)-1]; last.Kind != wheel.KindFinding || last.Code != wheel.CodePanic || first != nil {
			t.Fatalf("it emits %+v, want the panic %q", last, v.Expect.Panic)
		}
		return
	}
	if first == nil || first.ToSlot != v.Expect.Slot || first.X != max(v.Expect.Rounds, 0) {
		t.Fatalf("placed %+v, want slot %d rounds %d", first, v.Expect.Slot, v.Expect.Rounds)
	}
	if v.Times < 0 && len(fired) > len(want) {
		fired = fired[:len(want)]
	}
	if !slices.Equal(fired, want) {
		t.Fatalf("fires at %v, want %v", fired, want)
	}
}

func TestLk668Vectors(t *testing.T) {
	eachSeedVector(t, "lk668", 368, func(t *testing.T, v *seedVector, start wheel.Tick) { v.agrees(t, "lk668", start) })
}

func TestXiaoxuVectors(t *testing.T) {
	panics := 0
	eachSeedVector(t, "xiaoxu_local", 286, func(t *testing.T, v *seedVector, start wheel.Tick) {
		if v.Expect.Panic != "" {
			panics++
			if !strings.Contains(v.Expect.Panic, "index out of range") {
				t.Fatalf("another panic: %s", v.Expect.Panic)
			}
		}
		v.agrees(t, "xiaoxu", start)
	})
	if panics != 2*21 {
		t.Fatalf("%d cases panic", panics)
	}
}

func TestGodisVectors(t *testing.T) {
	eachSeedVector(t, "godis", 176, func(t *testing.T, v *seedVector, start wheel.Tick) { v.agrees(t, "godis", start) })
}

// Whole runs of the libraries: 200 timers with cancels, in the order of the slots.
func TestSeedRuns(t *testing.T) {
	for file, id := range map[string]string{"lk668_traces": "lk668", "xiaoxu_local_traces": "xiaoxu", "godis_traces": "godis"} {
		eachRun(t, file, func(t *testing.T, r *run) {
			for _, start := range []wheel.Tick{0, 777} {
				r.Params.Start = start
				width := max(r.Params.TickS, r.Params.TickMS)
				r.replay(t, lane{id: id, params: catalog.Params{"slots": r.Params.WheelSize, "width": width}, start: start}.build(t))
			}
		})
	}
}
