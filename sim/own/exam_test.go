package own

import (
	"context"
	"strings"
	"testing"
)

func TestReadExam(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{`{"cases":[{"name":"cancel","weight":2},{"name":"random","seed":3,"runs":5},{"name":"x","ops":[{"do":"advance","to":3}]}]}`, ""},
		{`{"cases":[]}`, "cases: missing; expected at least one"},
		{`{"slots":1,"cases":[{"name":"cancel"}]}`, "slots: 1 is not 2 to 4096"},
		{`{"cases":[{"name":"cancle"}]}`, `cases[0].name: "cancle" is not a group and has no ops; the groups are boundaries, equal due ticks, cancel,`},
		{`{"cases":[{"name":"cancel","weight":-1}]}`, "cases[0].weight: -1 is not 1 to 1000"},
		{`{"cases":[{"name":"x","ops":[{"do":"pause"}]}]}`, `cases[0].ops[0].do: "pause" is not "schedule", "cancel" or "advance"`},
		{`{"cases":[{"name":"x","ops":[{"do":"advance","to":-1}]}]}`, "cases[0].ops[0]: tick -1 is not 0 to 9007199254740992"},
		{`{"casses":[]}`, `not an exam: unknown field "casses"`},
		{`{"cases":[{"name":"cancel"}]} {}`, "not an exam: something follows the object"},
		{strings.Repeat(" ", ExamMax+1), "more than 8388608 bytes"},
	} {
		_, err := ReadExam(strings.NewReader(c.file), Options{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, want %s", c.file, err, c.want)
		}
	}
}

// A part with a fault loses its weight; a budget of cost is a part's.
func TestScore(t *testing.T) {
	e, err := ReadExam(strings.NewReader(`{"cases":[{"name":"cancel","weight":3},{"name":"boundaries","weight":1}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for bug, want := range map[string]int{"": 100, "cancel always true": 25, "no rounds": 0} {
		r, err := e.Try(context.Background(), newRounds(bug), nil)
		if err != nil || r.Score != want {
			t.Errorf("%q: %d, %v; want %d", bug, r.Score, err, want)
		}
	}
	e.Parts[0].Budget = 10
	if r, err := e.Try(context.Background(), newRounds(""), nil); err != nil || r.Score != 25 || r.First().Fault.Kind != Costly {
		t.Errorf("%+v, %v", r, err)
	}
}

// A wheel that does not return ends the exam.
func TestSlowWheel(t *testing.T) {
	stop := make(chan bool)
	defer close(stop)
	r, err := Try(context.Background(), func(int64, Params) Wheel { return &stuck{newList(0, Params{}), stop} }, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g := r.First(); g == nil || g.Fault.Kind != Slow || g.Fault.Text != "advance(1) has not returned after 1s" || r.Groups[1].Cases != 0 || r.Score != 0 {
		t.Errorf("%+v", r)
	}
}

type stuck struct {
	Wheel
	stop chan bool
}

func (s *stuck) Advance(int64) []int64 {
	<-s.stop
	return nil
}

// A place that the layout does not have, or from which the timer cannot fire, is a fault.
func TestPlaces(t *testing.T) {
	for slot, want := range map[string]string{
		"right": "",
		"off":   "timer 2 fired at 2 from slot 3 of level 0; by the timers before it, the hand is at slot 2 then",
		"out":   "timer 1 is in slot 8 of level 0 with 0 rounds, which the layout does not have",
	} {
		f := run(func(start int64, p Params) Wheel { return &shown{newList(start, p).(*list), slot} }, Options{}.withDefaults(),
			&Case{Ops: []Op{{Do: "schedule", Key: 1, Due: 1}, {Do: "schedule", Key: 2, Due: 2}, {Do: "advance", To: 1}, {Do: "advance", To: 2}}}, nil)
		if (f == nil) != (want == "") || f != nil && (f.Text != want || f.Kind != Misplace) {
			t.Errorf("%s: %+v, want %s", slot, f, want)
		}
	}
}

type shown struct {
	*list
	mode string
}

func (s *shown) Layout() []Level { return []Level{{8, 1}} }

func (s *shown) Place(key int64) Place {
	p := Place{Slot: int(s.dues[key] % 8)}
	switch {
	case s.mode == "off" && key == 2:
		p.Slot++
	case s.mode == "out":
		p.Slot = 8
	}
	return p
}
