//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package sim

import (
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// In parts a tick is what it is as a whole, and its operations end in the same
// state, whatever their number and that of the events of one Advance.
func TestTickPartsIsTick(t *testing.T) {
	for _, delay := range []string{`{"dist":"uniform","min":1,"max":60}`, `{"dist":"constant","value":40}`} {
		p := mustLoad(t, `{"wheelscope":1,"until":90,"lanes":[{"algorithm":"rounds","slots":8},{"algorithm":"heap"}],"workload":{"generate":[
			{"prefix":"t","seed":5,"count":20000,"arrivals":{"dist":"constant","value":3},"delay":`+delay+`}]}}`)
		whole, parts := newEngine(t, p), newEngine(t, p)
		most := 0
		for tick, ok := whole.Next(); ok; tick, ok = whole.Next() {
			want := whole.Tick(tick, nil)
			var got []Record
			_, err := parts.TickParts(tick, nil, func(recs []Record) error {
				most = max(most, len(recs))
				got = append(got, recs...)
				for _, l := range parts.lanes {
					if cap(l.log.Events) > 2*wheel.LogEventsMax {
						t.Fatalf("tick %d: a log has room for %d events", tick, cap(l.log.Events))
					}
				}
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("tick %d: %d records in parts, %d as a whole, %v", tick, len(got), len(want), err)
			}
		}
		if most != partRecords {
			t.Errorf("parts of %d records at most, want %d", most, partRecords)
		}
		for i, l := range parts.lanes {
			if a, b := whole.Lane(i).Stats(), l.Stats(); a != b {
				t.Errorf("lane %d: %+v as a whole, %+v in parts", i, a, b)
			}
			if cap(l.fired) > firedMax {
				t.Errorf("lane %d keeps room for %d expiries", i, cap(l.fired))
			}
		}
	}
}
