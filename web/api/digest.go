package api

import (
	"context"
	"errors"
	"io"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// TraceDigest is the answer to a request for /api/digest. SHA256 is the digest in the last line of the run's trace,
// computed from all lines before it.
type TraceDigest struct {
	Events int64  `json:"events"` // number of events in the trace
	Run    string `json:"run"`    // digest of the run
	SHA256 string `json:"sha256"`
}

// Digest returns the digest of the trace of run, from the cache if possible.
func (a *Answers) Digest(ctx context.Context, run *sim.Run) (*TraceDigest, error) {
	p := run.Program()
	sum, err := a.digests.get(ctx, run.Digest(), func(ctx context.Context) (tracefile.Summary, error) {
		ctx, done, err := a.Work(ctx, EngineBytes(p))
		if err != nil {
			return tracefile.Summary{}, err
		}
		defer done()
		return tracefile.Write(ctx, io.Discard, p, tracefile.Options{})
	})
	if errors.Is(err, ErrTakesLong) {
		return nil, errors.Join(texts.Errorf(texts.Unavailable, "", "run: its trace was not written within %s; `wheelscope run` has no time limit", MakingWait.String()), ErrTakesLong)
	}
	if err != nil {
		return nil, err
	}
	return &TraceDigest{sum.Events, run.Digest(), sum.SHA256}, nil
}
