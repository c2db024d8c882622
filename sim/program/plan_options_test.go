package program_test

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// twoGroups has 40,000 unsorted operations, which need more than one call of Check.
const twoGroups = `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":3,"op":"schedule","timer":"w","delay":5}],"generate":[
	{"prefix":"a","seed":1,"count":20000,"arrivals":{"dist":"uniform","min":0,"max":9999},"delay":{"dist":"constant","value":50}},
	{"prefix":"b","seed":2,"count":20000,"arrivals":{"dist":"uniform","min":0,"max":9999},"delay":{"dist":"constant","value":50}}]}}`

func TestReserveBeforePlanning(t *testing.T) {
	var reserved []int64
	p, err := program.LoadWith([]byte(twoGroups), program.Options{Reserve: func(n int64) error {
		reserved = append(reserved, n)
		return nil
	}})
	if err != nil || len(reserved) != 1 || reserved[0] < p.Estimate().PlanBytes || reserved[0] > 2*p.Estimate().PlanBytes {
		t.Errorf("%v; reserved %d for a plan of %d bytes", err, reserved, p.Estimate().PlanBytes)
	}
	full := errors.New("full")
	if p, err := program.LoadWith([]byte(twoGroups), program.Options{Reserve: func(int64) error { return full }}); err != full || p != nil {
		t.Errorf("%v, %v", p, err)
	}
}
