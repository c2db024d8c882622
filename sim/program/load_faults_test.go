package program_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// TestFaultsOfALane checks that a list of names is read, written to the header unchanged and read
// again. An absent list stays absent.
func TestFaultsOfALane(t *testing.T) {
	for written, want := range map[string]string{
		``:                             `"width":2,"as":"published"}`,
		`,"as":"corrected"`:            `"width":2,"as":"corrected"}`,
		`,"faults":[]`:                 `"width":2,"as":"published","faults":[]}`,
		`,"faults":["ticks","remove"]`: `"width":2,"as":"published","faults":["ticks","remove"]}`,
	} {
		p := plantest.Load(t, laneOf(`{"id":"x","algorithm":"lk668","slots":9,"width":2`+written+`}`))
		header := string(p.Scenario.AppendJSON(nil))
		if !strings.Contains(header, want) {
			t.Errorf("%s is written as %s", written, header)
		}
		if again := string(plantest.Load(t, []byte(header)).Scenario.AppendJSON(nil)); again != header {
			t.Errorf("%s, read again, is\n%s, was\n%s", written, again, header)
		}
	}
}

func TestFaultsThatCannotBe(t *testing.T) {
	schema := testkit.CompileSchema(t, testkit.ScenarioSchema)
	for written, want := range map[string]string{
		`"ticks"`:                                `lanes[1].faults: "ticks" is not a list of names out of negative, ticks, outside`,
		`7`:                                      `lanes[1].faults: 7 is not a list of names out of negative, ticks, outside`,
		`["storm"]`:                              `lanes[1].faults[0]: "storm" is not one of negative, ticks, outside`,
		`["ticks",7]`:                            `lanes[1].faults[1]: 7 is not one of negative, ticks, outside`,
		`["ticks","ticks"]`:                      `lanes[1].faults[1]: "ticks", a second time, is not a name of its own`,
		`["ticks","negative","ticks","outside"]`: `lanes[1].faults: the list is too long; expected at most 3 names`,
		`{}`:                                     `lanes[1].faults: an object is not a list of names out of negative, ticks, outside`,
	} {
		data := laneOf(`{"algorithm":"xiaoxu","faults":` + written + `}`)
		if _, err := program.Load(data); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", written, err, want)
		}
		if testkit.Validate(t, schema, data) == nil {
			t.Errorf("the schema accepts faults %s", written)
		}
	}
}
