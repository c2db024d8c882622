package importer

import (
	"bytes"
	"context"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// OpenSide returns data, the content of a file of any kind that Read accepts, as one of the two sides of a comparison
// of runs. name is the name of the file. A trace in JSON Lines is accepted even if it differs from the run of its
// scenario. o.Progress is called only for such a trace. OpenSide returns the same errors as Read and
// compare.OpenSide.
func OpenSide(ctx context.Context, name string, data []byte, o tracefile.Options) (compare.Side, error) {
	in, err := open(bytes.NewReader(data))
	if err != nil {
		return compare.Side{}, err
	}
	head, _ := in.Peek(lookBytes) // errors of unpacking are reported by the readers below
	if kind, fault := kindOf(head); fault != nil || kind == KindTrace {
		return compare.OpenSide(ctx, name, data, o)
	}
	res, err := Read(ctx, bytes.NewReader(data), Options{Name: name, Plan: o.Plan})
	if err != nil {
		return compare.Side{}, err
	}
	return compare.Side{Name: name, Program: res.Program}, nil
}
