//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package program

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// TestTwoMillionTimersLoad checks that the largest workload, all at one tick, loads in any lane
// and in one lane needs less than 1 GB.
func TestTwoMillionTimersLoad(t *testing.T) {
	var lanes []string
	for _, a := range algorithms.Catalogue() {
		lanes = append(lanes, `{"algorithm":"`+a.ID+`"}`)
	}
	p, err := Load([]byte(`{"wheelscope":1,"lanes":[` + strings.Join(lanes, ",") + `],"workload":{"generate":[{"prefix":"t","seed":1,"count":2097152,
		"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1000000}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if e := p.Estimate(); e.TickEvents > TickEventsMax || e.TickEvents < 2*scenario.TimersMax {
		t.Errorf("%+v", e)
	}
	w := p.measure()
	for i := range p.Scenario.Lanes {
		lane := &p.Scenario.Lanes[i]
		m := newLaneModel(lane, w)
		if n := p.Estimate().PlanBytes + m.emptyBytes(w) + 2*m.engineBytes(w); n > 1e9 {
			t.Errorf("%s: %s", lane.ID, FormatBytes(n))
		}
	}
}
