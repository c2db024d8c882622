package recorded

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// ID is the name of the algorithm in a scenario.
const ID = "own"

// SourceMax is the maximum number of bytes of a source.
const SourceMax = 32 << 10

// Algorithm is the catalogue entry of wheels that users have written. It is not listed among the algorithms.
var Algorithm = catalog.Algorithm{
	ID:     ID,
	Source: "the scenario",
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInt, Default: int64(8), Min: 2, Max: 4096},
		{Name: "levels", Type: catalog.TypeInt, Default: int64(3), Min: 1, Max: wheel.LevelsMax},
		{Name: "source", Type: catalog.TypeText, Min: 1, Max: SourceMax},
	},
	Build: func(p catalog.Params, env catalog.Env) (wheel.Observable, error) {
		if _, ok := p["source"]; !ok {
			return nil, &wheel.ParamError{Name: "source", Found: "nothing", Want: "the JavaScript of a wheel"}
		}
		return newWheel(int(p["slots"].(int64)), env.Start), nil
	},
	Coarse: true, MayBeLate: true, // it may do anything
	TimerBytes: 192,
}

// Memory of the answers of a run.
const (
	logFixedBytes = 1 << 20
	logCallBytes  = 1 << 10 // for each call and each run of a timer
)

// LogBytes returns the maximum memory in bytes of the answers in a run with the given number of operations and runs of
// timers.
func LogBytes(calls int64) int64 { return logFixedBytes + min(calls, 1<<20)*logCallBytes }
