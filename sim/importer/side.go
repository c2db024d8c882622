package importer

import (
	"bytes"
	"context"

	"github.com/wheelscope/wheelscope/sim"
)

// OpenSide makes a side of a comparison of any file that Read opens, of which name is the
// file's. A trace as JSON Lines that is not what its scenario gives counts as it is. The
// errors are Read's and sim.OpenSide's.
func OpenSide(ctx context.Context, name string, data []byte, o sim.TraceOptions) (sim.Side, error) {
	in, err := open(bytes.NewReader(data))
	if err != nil {
		return sim.Side{}, err
	}
	head, _ := in.Peek(lookBytes) // what can't be unpacked is told by who reads it
	if kind, fault := kindOf(head); fault != nil || kind == KindTrace {
		return sim.OpenSide(ctx, name, data, o)
	}
	res, err := Read(ctx, bytes.NewReader(data), Options{Name: name, Progress: o.Progress, Plan: o.Plan})
	if err != nil {
		return sim.Side{}, err
	}
	return sim.Side{Name: name, Program: res.Program}, nil
}
