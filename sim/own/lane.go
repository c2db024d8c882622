package own

import (
	"errors"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// LaneReply is what a process or worker answers that has run the source of a lane; see script.ServeLane.
type LaneReply struct {
	Levels []wheel.Level `json:"levels"`
	Data   []byte        `json:"data"`
	Err    string        `json:"error,omitempty"`
}

// Log returns the answers of the source, or its error.
func (r *LaneReply) Log() (*recorded.Log, error) {
	if r.Err != "" {
		return nil, errors.New(r.Err)
	}
	return recorded.FromParts(r.Levels, r.Data), nil
}

// LaneRequest returns what script.ServeLane reads to run the source of lane i of p.
func LaneRequest(p *program.Program, i int) ([]byte, error) {
	one, err := p.WithLanes(p.Scenario.Lanes[i])
	if err != nil {
		return nil, err
	}
	return one.Scenario.AppendJSON(nil), nil
}
