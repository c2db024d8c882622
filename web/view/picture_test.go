package view

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
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
