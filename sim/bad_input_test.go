package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// usual is the key of the expected result of all algorithms that are not named.
const usual = ""

// badCase is one timer that most programs never schedule, with the events that each algorithm
// emits for it, as its reference does.
type badCase struct {
	name, tick, op string
	want           map[string]string // by algorithm
}

var badCases = []badCase{
	{"a negative delay", "1s", `"delay":-5`, map[string]string{
		usual: "expire@3 late 5", "linux": "place@3 expire@4 late 6", "linux-classic": "place@3 expire@4 late 6", "callout": "place@3 expire@4 late 6", "go": "place@3 expire@4 late 6", "nats": "place@3 expire@4 late 6", "agrona": "place@3 expire@4 late 6", "netty": "pend@3 place@4 expire@4 late 6",
		"lk668": "reject@3 past", "xiaoxu": "reject@3 fault finding@3 panic", "godis": "reject@3 past finding@3 lost"}},
	{"no delay", "1s", `"delay":0`, map[string]string{
		usual: "expire@3 late 0", "linux": "place@3 expire@4 late 1", "linux-classic": "place@3 expire@4 late 1", "callout": "place@3 expire@4 late 1", "go": "place@3 expire@4 late 1", "nats": "place@3 expire@4 late 1", "agrona": "place@3 expire@4 late 1", "netty": "pend@3 place@4 expire@4 late 1",
		"kafka": "place@3 enqueue@3 dequeue@3 expire@3 late 0", // its clock is still at 0
		"lk668": "reject@3 past", "xiaoxu": "place@3 expire@4 late 1", "godis": "place@3 expire@4 late 1"}},
	{"a time long past", "1s", `"delay":-1000000000000`, map[string]string{
		usual: "expire@3 late 1000000000000", "linux": "place@3 expire@4 late 1000000000001", "linux-classic": "place@3 expire@4 late 1000000000001", "callout": "place@3 expire@4 late 1000000000001", "go": "place@3 expire@4 late 1000000000001", "nats": "place@3 expire@4 late 1000000000001", "agrona": "place@3 expire@4 late 1000000000001",
		"netty": "pend@3 place@4 expire@4 late 1000000000001", "lk668": "reject@3 past", "xiaoxu": "reject@3 fault finding@3 panic", "godis": "reject@3 past finding@3 lost"}},
	{"the longest delay", "1s", `"delay":4611686018427387900`, map[string]string{
		usual: "place@3", "simple": "reject@3 range", "hierarchical": "reject@3 range", "kafka": "place@3 enqueue@3", "riicarus": "place@3 enqueue@3",
		"netty": "pend@3 place@4", "lk668": "reject@3 range", "godis": "reject@3 range"}}, // more than a time.Duration holds
	{"a tick below a second", "100ms", `"delay":"500ms"`, map[string]string{
		usual: "place@3 expire@8 late 0", "linux": "place@3 expire@9 late 1", "agrona": "place@3 expire@9 late 1", "netty": "pend@3 place@4 expire@9 late 1", "xiaoxu": "place@3 expire@9 late 1",
		"kafka":    "place@3 enqueue@3 dequeue@8 expire@8 late 0",
		"riicarus": "place@3 enqueue@3 dequeue@5 expire@5 late -3 finding@5 early", // it counts from now what it adds to the start
		"lk668":    "reject@3 fault finding@3 panic", "godis": "reject@3 fault finding@3 panic"}},
	{"a delay below a tick", "1s", `"delay":"1ms"`, map[string]string{ // rounds up to a tick
		usual: "place@3 expire@4 late 0", "linux": "place@3 expire@5 late 1", "agrona": "place@3 expire@5 late 1", "netty": "pend@3 place@4 expire@5 late 1",
		"kafka": "place@3 enqueue@3 dequeue@4 expire@4 late 0", "riicarus": "expire@3 late -1",
		"lk668": "place@3 expire@5 late 1", "xiaoxu": "place@3 expire@5 late 1", "godis": "place@3 expire@5 late 1"}},
}

// local returns all algorithms except redis, which has tests of its own.
func local() []catalog.Algorithm {
	return slices.DeleteFunc(slices.Clone(algorithms.Catalogue()), func(a catalog.Algorithm) bool { return a.ID == "redis" })
}

// TestBadTimers schedules each timer in all algorithms of one run. If a lane stops because of a
// timer, neither the other lanes nor the process are affected.
func TestBadTimers(t *testing.T) {
	var lanes []string
	for _, a := range local() {
		lanes = append(lanes, fmt.Sprintf(`{"algorithm":%q}`, a.ID))
	}
	for _, c := range badCases {
		p := plantest.Load(t, fmt.Sprintf(`{"wheelscope":1,"tick":%q,"until":30,"lanes":[%s],"workload":{"ops":[{"at":3,"op":"schedule","timer":"bad",%s}]}}`,
			c.tick, strings.Join(lanes, ","), c.op))
		got := make([][]string, len(lanes))
		for _, r := range plantest.RunStraight(t, p).Records {
			if text := eventText(p, &r); text != "" {
				got[r.Lane] = append(got[r.Lane], text)
			}
		}
		for i, l := range p.Scenario.Lanes {
			want, named := c.want[l.Algorithm]
			if !named {
				want = c.want[usual]
			}
			if emitted := strings.Join(got[i], " "); emitted != want {
				t.Errorf("%s: %s emits %q, want %q", c.name, l.Algorithm, emitted, want)
			}
		}
	}
}

// eventText returns an event in a few words, or "" for the kinds that are common to all timers.
func eventText(p *program.Program, r *engine.Record) string {
	text := fmt.Sprintf("%s@%d", r.Kind, r.Tick)
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindGrow, wheel.KindHand, wheel.KindCascade, wheel.KindResize:
		return ""
	case wheel.KindExpire:
		return fmt.Sprintf("%s late %d", text, r.Late(p.Start))
	case wheel.KindReject, wheel.KindFinding:
		return text + " " + wheel.CodeName(r.Code)
	}
	return text
}

// TestGeometriesThatCannotBe checks sizes that an algorithm can't have. Netty and callout round
// them up, nats and agrona reject all but powers of two; the others reject them in one line that names the field.
func TestGeometriesThatCannotBe(t *testing.T) {
	for _, a := range local() {
		least, sized := leastSlots(&a)
		for lane, want := range map[string]string{
			`"slots":0`:             "lanes[0].slots: 0 is not between %d and 65536",
			`"slots":-1`:            "lanes[0].slots: -1 is not between %d and 65536",
			`"slots":65537`:         "lanes[0].slots: 65537 is not between %d and 65536",
			`"width":0`:             "lanes[0].width: 0 is not ",
			`"width":1099511627777`: "lanes[0].width: 1099511627777 is not ",
		} {
			if !sized && strings.HasPrefix(lane, `"slots"`) {
				want = "lanes[0].slots: unknown field; a lane of algorithm " + a.ID + " has id, algorithm, width"
			} else if strings.Contains(want, "%d") {
				want = fmt.Sprintf(want, least)
			}
			_, err := program.Load([]byte(`{"wheelscope":1,"until":9,"lanes":[{"algorithm":"` + a.ID + `",` + lane + `}],"workload":{"ops":[]}}`))
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s with %s: %v, want %s", a.ID, lane, err, want)
			}
		}
		if !sized {
			continue
		}
		if a.ID == "nats" || a.ID == "agrona" {
			_, err := program.Load([]byte(`{"wheelscope":1,"until":9,"lanes":[{"algorithm":"` + a.ID + `","slots":5}],"workload":{"ops":[]}}`))
			if err == nil || err.Error() != "lanes[0].slots: 5 is not a power of two" {
				t.Errorf("%s with 5 slots: %v", a.ID, err)
			}
			continue
		}
		p := plantest.Load(t, `{"wheelscope":1,"until":9,"lanes":[{"algorithm":"`+a.ID+`","slots":5}],"workload":{"ops":[]}}`)
		slots := plantest.RunStraight(t, p).States[0].Lanes[0].Levels[0].Slots
		if want := map[bool]int{true: 8, false: 5}[a.ID == "netty" || a.ID == "callout"]; slots != want {
			t.Errorf("%s makes %d slots of 5, want %d", a.ID, slots, want)
		}
	}
}

// leastSlots returns the minimum number of slots of an algorithm that takes one.
func leastSlots(a *catalog.Algorithm) (int64, bool) {
	for i := range a.Parameters {
		if a.Parameters[i].Name == "slots" {
			return a.Parameters[i].Min, true
		}
	}
	return 0, false
}
