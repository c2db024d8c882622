package view

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/picture"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// A picture lists the timers that it draws one by one; if it draws only their number it lists none.
func TestPictureListsWhatItDraws(t *testing.T) {
	for timers, want := range map[int]int{templates.DotsMax: templates.DotsMax, templates.DotsMax + 1: 0} {
		run := webtest.Open(t, fmt.Sprintf(`{"wheelscope":1,"until":9,"lanes":[{"algorithm":"rounds","slots":8}],"workload":{"generate":[`+
			`{"prefix":"g","count":%d,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":50}}]}}`, timers))
		snap, err := run.Seek(t.Context(), sim.EndOf(1), templates.DotsMax)
		if err != nil {
			t.Fatal(err)
		}
		lane := laneForPicture(run.Program(), 0, &snap.Lanes[0], "en")
		if len(lane.Places) != 1 || lane.Places[0].Count != timers || len(lane.Places[0].Timers) != want {
			t.Errorf("%d timers: %d places, %d timers listed in the first, want %d", timers, len(lane.Places), len(lane.Places[0].Timers), want)
		}
	}
}

// A picture shows what led to its instant: the ways of timers that cascaded, and those that fired, as the page does.
func TestPictureShowsTheStep(t *testing.T) {
	data, _ := library.Builtin("ten-slots")
	run := webtest.Open(t, string(data))
	draw := func(tick int64) string {
		var b bytes.Buffer
		if err := LanePicture(t.Context(), &b, LaneAt{Run: run, Lane: "levels", At: sim.EndOf(tick), Lang: "en"}, picture.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const cascade, expiry = `stroke="#8b2fd0"`, `stroke="#0b7285"`
	if got := draw(10); strings.Count(got, cascade) != 4 || strings.Contains(got, expiry) { // two trails, and where they begin
		t.Errorf("two timers cascade at tick 10: %d lines", strings.Count(got, cascade))
	}
	if got := draw(11); strings.Contains(got, cascade) || strings.Count(got, expiry) != 1 || !strings.Contains(got, ">fired<") {
		t.Errorf("a timer fires at tick 11: %.800s", got)
	}
}
