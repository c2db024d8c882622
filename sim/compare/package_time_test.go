package compare

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// Package time is beside the lanes of a scenario without a lane go, on the same operations, and no timer is passed over in a
// heap of one timer.
func TestPackageTime(t *testing.T) {
	load := func(lanes string) *program.Program {
		p, err := program.Load([]byte(`{"wheelscope":1,"lanes":[` + lanes + `],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":5},
			{"at":1,"op":"schedule","timer":"b","delay":3},{"at":2,"op":"cancel","timer":"b"}]}}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := load(`{"algorithm":"simple"},{"algorithm":"sorted"}`)
	row, err := PackageTime(t.Context(), p)
	if err != nil || row.Lane != PackageTimeLane || row.Algorithm != "go" || row.Fired != 1 || row.Cancelled != 1 || row.Operations != 4 || row.Bytes <= 0 {
		t.Errorf("%+v, %v", row, err)
	}
	rows, err := Lanes(t.Context(), p, nil)
	if err != nil || rows[0].PassedOver != 0 || rows[1].PassedOver != 1 || rows[0].Ticks != 4 {
		t.Errorf("%+v, %v", rows, err)
	}
	if row, err := PackageTime(t.Context(), load(`{"algorithm":"go"}`)); row != nil || err != nil {
		t.Errorf("%+v, %v beside a lane go", row, err)
	}
	if p.Digest() == load(`{"algorithm":"go"}`).Digest() || len(p.Scenario.Lanes) != 2 {
		t.Error("the program has changed")
	}
}
