//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package program

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// TestTwoMillionTimersLoad checks that the largest workload, all at one tick, loads with all lanes.
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
	if e := p.Estimate(); e.Events != 2*scenario.TimersMax*int64(len(lanes)) {
		t.Errorf("%+v", e)
	}
}

// TestTwoMillionTimersFit checks that a run of the largest workload needs little more than 1 GB in any lane.
func TestTwoMillionTimersFit(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		p, err := Load([]byte(`{"wheelscope":1,"lanes":[{"algorithm":"` + a.ID + `"}],"workload":{"generate":[{"prefix":"t","seed":1,"count":2097152,
			"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1000000}}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		if n := p.Estimate().Bytes; n > 1.1e9 {
			t.Errorf("%s: %s", a.ID, FormatBytes(n))
		}
	}
}
