package locate

import (
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/usererr"

	"net/url"
	"testing"
)

func TestReadPosition(t *testing.T) {
	for query, want := range map[string]Position{
		"": {-1, -1}, "t=": {-1, -1}, "t=0": {0, -1}, "t=7": {7, -1}, "seq=0": {-1, 0}, "seq=9": {-1, 9}, "t=7&seq=9": {7, 9},
		"t=1&t=2": {1, -1}, "t=9223372036854775807": {1<<63 - 1, -1}, "lang=zh&T=5": {-1, -1},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(q); got != want || err != nil {
			t.Errorf("%q: %+v %v, want %+v", query, got, err, want)
		}
	}
	for query, field := range map[string]string{
		"t=-1": "t", "t=x": "t", "t=1.0": "t", "t=1e3": "t", "t=0x10": "t", "t=1_000": "t", "t= 1": "t", "t=٣": "t", "t=9223372036854775808": "t",
		"seq=-1": "seq", "seq=one": "seq", "t=4&seq=-0x": "seq", "t=bad&seq=bad": "t",
	} {
		q, _ := url.ParseQuery(query)
		at, err := Parse(q)
		if err == nil || usererr.Describe(err, "en").Path != field || at != Start {
			t.Errorf("%q: %+v %v, want an error at %s", query, at, err, field)
		}
	}
}

// A position is a tick, an event, or both if they agree.
func TestLocate(t *testing.T) {
	run := webtest.Open(t, webtest.Small)
	for _, c := range []struct{ at, want Position }{
		{Position{-1, -1}, Position{-1, -1}},
		{Position{0, -1}, Position{0, -1}},
		{Position{9, -1}, Position{9, -1}},
		{Position{-1, 0}, Position{-1, 0}},
		{Position{-1, 44}, Position{-1, 44}},
		{Position{0, 8}, Position{0, -1}},   // event 8 is tick 0's last
		{Position{0, 7}, Position{-1, 7}},   // and 7 is not
		{Position{8, 44}, Position{8, -1}},  // in the pause after the last event
		{Position{3, 44}, Position{-1, 44}}, // they disagree: the event counts
		{Position{0, 0}, Position{-1, 0}},
	} {
		if got, err := c.at.Resolve(t.Context(), run); got != c.want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", c.at, got, err, c.want)
		}
	}
	for at, want := range map[Position]string{
		{10, -1}: "t: 10 is past the end of the scenario at tick 9",
		{10, 1}:  "t: 10 is past the end of the scenario at tick 9",
		{-1, 45}: "seq: 45 is not an event of this run, which has 44",
		{3, 45}:  "seq: 45 is not an event of this run, which has 44",
	} {
		if _, err := at.Resolve(t.Context(), run); err == nil || usererr.Describe(err, "en").Error() != want {
			t.Errorf("%+v: %v, want %s", at, err, want)
		}
	}
}

// A run may begin with a pause, whose ticks precede any event.
func TestLocateInTheFirstPause(t *testing.T) {
	run := webtest.Open(t, `{"wheelscope":1,"until":9,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":5,"op":"schedule","timer":"a","delay":2}]}}`)
	for at, want := range map[Position]Position{
		{4, 0}: {4, -1}, {4, -1}: {4, -1}, {-1, 0}: {-1, 0},
		{0, 0}: {-1, 0}, // before anything
		{5, 0}: {-1, 0}, // they disagree: the event counts
	} {
		if got, err := at.Resolve(t.Context(), run); got != want || err != nil {
			t.Errorf("%+v: %+v %v, want %+v", at, got, err, want)
		}
	}
}

// The snapshot of a position has that position.
func TestSnapshotOfAPosition(t *testing.T) {
	run := webtest.Open(t, webtest.Small)
	for at, want := range map[Position][2]int64{{-1, -1}: {0, 0}, {-1, 0}: {0, 0}, {0, -1}: {0, 8}, {8, -1}: {8, 44}, {-1, 15}: {2, 15}} {
		s, err := at.Snapshot(t.Context(), run, 0)
		if err != nil || s.Tick != want[0] || s.Seq != want[1] {
			t.Errorf("%+v: %+v %v", at, s, err)
		}
	}
}
