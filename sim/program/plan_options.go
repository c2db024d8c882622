package program

import "github.com/wheelscope/wheelscope/sim/scenario"

// Options lets a caller limit and interrupt planning, which takes about a second and 250 MB for the largest
// scenarios. Functions may be nil.
type Options struct {
	// Reserve is called with an upper bound of the number of bytes that planning takes, before they
	// are allocated. Code that runs the program also calls it, with the number of bytes of its
	// engine. An error ends the work.
	Reserve func(bytes int64) error
	// Check is called at least every CheckOps operations in each step of planning.
	// It may wait. An error ends planning.
	Check func() error
	// BytesMax is the maximum size of a scenario in bytes; 0 means scenario.BytesMax.
	BytesMax int
}

// Bytes returns the maximum size of a scenario in bytes.
func (o *Options) Bytes() int {
	if o.BytesMax > 0 {
		return o.BytesMax
	}
	return scenario.BytesMax
}

func (o *Options) reserve(bytes int64) error {
	if o.Reserve == nil {
		return nil
	}
	return o.Reserve(bytes)
}

// ReserveEngine calls o.Reserve with the memory of one engine that runs p.
func (o *Options) ReserveEngine(p *Program) error { return o.reserve(p.Estimate().EngineBytes) }

func (o *Options) check() error {
	if o.Check == nil {
		return nil
	}
	return o.Check()
}

// pause is called for each operation in the loops of planning. It calls Options.Check from time to time.
// It reports whether planning must end.
func (p *planner) pause() bool {
	if p.err != nil {
		return true
	}
	if p.paused++; p.paused >= scenario.CheckOps {
		p.paused = 0
		p.err = p.opts.check()
	}
	return p.err != nil
}
