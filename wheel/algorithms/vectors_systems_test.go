package algorithms

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// systemVector is one case of a published system, computed by its own code: a timer scheduled at
// now, and its events.
type systemVector struct {
	vector
	Tag     string
	Elapsed *wheel.Tick // tokio: the clock, if it is not at now
	Expires *wheel.Tick // linux: the due tick
	Synced  *bool       // kafka: whether the clock was moved to now before
	Expect  struct {
		Immediate bool
		Level     *int8
		Slot      *uint32
		FiresAt   *wheel.Tick `json:"fires_at"`
		Clock     *wheel.Tick `json:"wheel_clock_at_add"`
		Levels    *int        `json:"levels_after_add"`
		Insert    string
		Cascades  []struct {
			At   wheel.Tick
			From vectorPlace
			To   json.RawMessage // a place, or "fire"
		}
	}
}

// eachSystemVector runs every case of a file, which must have at least `least`.
func eachSystemVector(t *testing.T, name string, least int, test func(*testing.T, *systemVector)) {
	t.Helper()
	var file struct{ Cases []systemVector }
	readVectors(t, name, &file)
	if len(file.Cases) < least {
		t.Fatalf("%s has %d cases, want %d", name, len(file.Cases), least)
	}
	for k := range file.Cases {
		v := &file.Cases[k]
		t.Run(fmt.Sprintf("%d %s now=%d delay=%d", k, v.Tag, v.Now, v.Delay), func(t *testing.T) { test(t, v) })
	}
}

// agrees compares placement, cascades and the tick of firing.
func (v *systemVector) agrees(t *testing.T, x life) {
	t.Helper()
	want := &v.Expect
	if (x.runs == 1) != (want.Level == nil) || x.err != nil {
		t.Fatalf("%d runs at once, error %v, want level %v", x.runs, x.err, want.Level)
	}
	if want.Level != nil && (x.first == nil || x.first.ToLevel != *want.Level || x.first.ToSlot != *want.Slot) {
		t.Fatalf("placed %+v, want level %d slot %d", x.first, *want.Level, *want.Slot)
	}
	if want.FiresAt != nil && want.Level != nil && x.fires != *want.FiresAt {
		t.Fatalf("fires at %d, want %d", x.fires, *want.FiresAt)
	}
	if want.FiresAt == nil || want.Level == nil {
		return
	}
	var got, all []string
	for _, e := range x.emitted {
		if e.Kind == wheel.KindCascade {
			got = append(got, fmt.Sprintf("%d %d/%d %d/%d", e.at, e.FromLevel, e.FromSlot, e.ToLevel, e.ToSlot))
		}
	}
	for _, c := range want.Cascades {
		var to vectorPlace
		if json.Unmarshal(c.To, &to) == nil {
			all = append(all, fmt.Sprintf("%d %d/%d %d/%d", c.At, c.From.Level, c.From.Slot, to.Level, to.Slot))
		}
	}
	if !slices.Equal(got, all) {
		t.Fatalf("cascades\n%v, want\n%v", got, all)
	}
}

func TestTokioVectors(t *testing.T) {
	eachSystemVector(t, "tokio", 356, func(t *testing.T, v *systemVector) {
		at := v.Delay + v.Now - *v.Elapsed // the clock is at elapsed, which may lag
		v.vector.Now, v.vector.Delay = *v.Elapsed, at
		v.agrees(t, v.vector.live(t, "tokio", nil))
	})
}

// tokioUtil is the wheel of tokio-util's DelayQueue.
var tokioUtil = lane{id: "tokio", params: catalog.Params{"library": "tokio-util"}}

// tokio-util has the same levels as tokio, but rejects timers that would go round the last one.
func TestTokioUtilVectors(t *testing.T) {
	refusals := 0
	eachSystemVector(t, "tokio_util", 231, func(t *testing.T, v *systemVector) {
		x := v.vector.live(t, tokioUtil.id, tokioUtil.params)
		if v.Expect.Insert != "invalid" {
			v.agrees(t, x)
			return
		}
		if refusals++; x.err != wheel.ErrRange || x.first != nil {
			t.Fatalf("error %v, place %+v, want it refused", x.err, x.first)
		}
	})
	if refusals < 36 {
		t.Fatalf("%d cases are refused", refusals)
	}
}

func TestTokioRuns(t *testing.T) {
	eachRun(t, "tokio_traces", func(t *testing.T, r *run) { r.replay(t, lane{id: "tokio"}.build(t)) })
}

// The DelayQueue's slots are last in, first out. The runtime's wheel fires the same timers at
// each tick, in another order.
func TestTokioUtilRuns(t *testing.T) {
	eachRun(t, "tokio_util_traces", func(t *testing.T, r *run) { r.replay(t, tokioUtil.build(t)) })
	eachRun(t, "tokio_util_traces", func(t *testing.T, r *run) {
		r.unordered = true
		r.replay(t, lane{id: "tokio"}.build(t))
	})
}

// unwrap moves a case that begins before tick 0 forward by a multiple of every revolution. The
// kernel's counter starts shortly before it wraps, the wheel's at 0.
func (v *systemVector) unwrap(by wheel.Tick) {
	if v.Start >= 0 {
		return
	}
	v.Start, v.Now = v.Start+by, v.Now+by
	if v.Expect.FiresAt != nil {
		*v.Expect.FiresAt += by
	}
	for k := range v.Expect.Cascades {
		v.Expect.Cascades[k].At += by
	}
}

func TestLinuxVectors(t *testing.T) {
	for levels, file := range map[int64]string{9: "linux_modern", 8: "linux_modern_hz100"} {
		eachSystemVector(t, file, 396, func(t *testing.T, v *systemVector) {
			v.unwrap(1 << 40)
			v.agrees(t, v.vector.live(t, "linux", catalog.Params{"levels": levels}))
		})
	}
}

func TestLinuxRuns(t *testing.T) {
	eachRun(t, "linux_modern_traces", func(t *testing.T, r *run) { r.replay(t, lane{id: "linux"}.build(t)) })
}

func TestLinuxClassicVectors(t *testing.T) {
	eachSystemVector(t, "linux_classic", 187, func(t *testing.T, v *systemVector) {
		v.unwrap(1 << 40)
		v.agrees(t, v.vector.live(t, "linux-classic", nil))
	})
}

func TestLinuxClassicRuns(t *testing.T) {
	eachRun(t, "linux_classic_traces", func(t *testing.T, r *run) { r.replay(t, lane{id: "linux-classic"}.build(t)) })
}

// The clock of a Kafka wheel is at the beginning of the last slot that left the queue, which each
// case gives. A wheel that starts there, and then advances while it is empty, has that clock.
func TestKafkaVectors(t *testing.T) {
	eachSystemVector(t, "kafka", 400, func(t *testing.T, v *systemVector) {
		x := v.liveFrom(t, "kafka", catalog.Params{"slots": v.WheelSize, "width": v.Tick}, *v.Expect.Clock)
		v.agrees(t, x)
		grown := 1
		for _, e := range x.emitted {
			if e.Kind == wheel.KindGrow {
				grown++
			}
		}
		if grown != *v.Expect.Levels {
			t.Fatalf("%d levels, want %d", grown, *v.Expect.Levels)
		}
	})
}

func TestKafkaRuns(t *testing.T) {
	eachRun(t, "kafka_traces", func(t *testing.T, r *run) {
		r.unordered = true // among slots of one tick
		r.replay(t, lane{id: "kafka", params: catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick}, start: r.Params.Start}.build(t))
	})
}

// Without its delay queue the wheel fires the same timers at the same ticks.
func TestKafkaRunsOnTicks(t *testing.T) {
	eachRun(t, "kafka_traces", func(t *testing.T, r *run) {
		r.unordered = true
		p := catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick, "drive": "tick"}
		r.replay(t, lane{id: "kafka", params: p, start: r.Params.Start}.build(t))
	})
}

// The Go port places and fires timers in the same way.
func TestRussellLuoVectors(t *testing.T) {
	eachSystemVector(t, "russellluo", 187, func(t *testing.T, v *systemVector) {
		v.agrees(t, v.vector.live(t, "kafka", catalog.Params{"slots": v.WheelSize, "width": v.Tick}))
	})
}

func TestRussellLuoRuns(t *testing.T) {
	eachRun(t, "russellluo_traces", func(t *testing.T, r *run) {
		r.unordered = true
		r.replay(t, lane{id: "kafka", params: catalog.Params{"slots": r.Params.WheelSize, "width": r.Params.Tick}, start: r.Params.Start}.build(t))
	})
}

func byTickThenKey(a, b firing) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Key, b.Key))
}
