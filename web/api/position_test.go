package api

import (
	"net/url"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

func TestReadPosition(t *testing.T) {
	for query, want := range map[string]sim.Position{
		"": sim.Start, "t=": sim.Start, "t=0": sim.EndOf(0), "t=7": sim.EndOf(7), "seq=0": sim.Start, "seq=9": sim.After(9), "t=7&seq=9": {Tick: 7, Seq: 9},
		"t=1&t=2": sim.EndOf(1), "t=9223372036854775807": sim.EndOf(1<<63 - 1), "lang=zh&T=5": sim.Start,
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Position(q); got != want || err != nil {
			t.Errorf("%q: %+v %v, want %+v", query, got, err, want)
		}
	}
	for query, field := range map[string]string{
		"t=-1": "t", "t=x": "t", "t=1.0": "t", "t=1e3": "t", "t=0x10": "t", "t=1_000": "t", "t= 1": "t", "t=٣": "t", "t=9223372036854775808": "t",
		"seq=-1": "seq", "seq=one": "seq", "t=4&seq=-0x": "seq", "t=bad&seq=bad": "t",
	} {
		q, _ := url.ParseQuery(query)
		at, err := Position(q)
		if err == nil || protocol.Describe(err, "en").Path != field || at != sim.Start {
			t.Errorf("%q: %+v %v, want an error at %s", query, at, err, field)
		}
	}
}

// A position is a tick, an event, or both if they agree.
func TestResolve(t *testing.T) {
	run := webtest.Open(t, webtest.Small)
	both := func(tick, seq int64) sim.Position { return sim.Position{Tick: tick, Seq: seq} }
	for at, want := range map[sim.Position]sim.Position{
		sim.Start:     {},
		sim.EndOf(0):  sim.EndOf(0),
		sim.EndOf(9):  sim.EndOf(9),
		sim.After(44): {Tick: 6, Seq: 44, Whole: true},
		both(0, 8):    {Tick: 0, Seq: 8, Whole: true},  // event 8 is tick 0's last
		both(0, 7):    {Tick: 0, Seq: 7},               // and 7 is not
		both(8, 44):   {Tick: 8, Seq: 44, Whole: true}, // in the pause after the last event
		both(3, 44):   {Tick: 6, Seq: 44, Whole: true}, // they disagree: the event counts
		both(0, 0):    {},
	} {
		got, err := Resolve(t.Context(), run, at)
		if got != want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", at, got, err, want)
		}
		if s, err := run.Seek(t.Context(), got, 0); err != nil || s.Tick != got.Tick || got.Seq >= 0 && s.Seq != got.Seq {
			t.Errorf("%+v: the state is at tick %d, event %d (%v)", got, s.Tick, s.Seq, err)
		}
	}
	for at, want := range map[sim.Position]string{
		sim.EndOf(10): "t: 10 is past the end of the scenario at tick 9",
		both(10, 1):   "t: 10 is past the end of the scenario at tick 9",
		sim.After(45): "seq: 45 is not an event of this run, which has 44",
		both(3, 45):   "seq: 45 is not an event of this run, which has 44",
	} {
		if _, err := Resolve(t.Context(), run, at); err == nil || protocol.Describe(err, "en").Error() != want {
			t.Errorf("%+v: %v, want %s", at, err, want)
		}
	}
}

// A run may begin with a pause, whose ticks precede any event.
func TestResolveInTheFirstPause(t *testing.T) {
	run := webtest.Open(t, `{"wheelscope":1,"until":9,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":5,"op":"schedule","timer":"a","delay":2}]}}`)
	for at, want := range map[sim.Position]sim.Position{
		{Tick: 4}: {Tick: 4, Whole: true}, sim.EndOf(4): sim.EndOf(4), sim.Start: {Whole: true},
		{Tick: 0}: {Whole: true}, // before anything
		{Tick: 5}: {Whole: true}, // they disagree: the event counts
	} {
		if got, err := Resolve(t.Context(), run, at); got != want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", at, got, err, want)
		}
	}
}
