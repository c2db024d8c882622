package program

import "github.com/wheelscope/wheelscope/sim/scenario"

// Options limits planning and lets a caller interrupt it. Planning takes about a second and 250 MB for the
// largest scenarios. Reserve and Check may be nil.
type Options struct {
	// Reserve is called with an upper bound on the memory that planning takes, before it is allocated.
	// ReserveEngine also calls Reserve, with the memory of an engine that runs the program. If Reserve returns an error,
	// planning or the run ends.
	Reserve func(bytes int64) error
	// Check is called at least once every scenario.CheckOps operations in each step of planning. It may
	// block. If it returns an error, planning ends.
	Check func() error
	// BytesMax is the maximum size of a scenario in bytes; 0 means scenario.BytesMax.
	BytesMax int
}

// Bytes returns the maximum size of a scenario in bytes: o.BytesMax, or scenario.BytesMax if it is 0.
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

// ReserveEngine calls o.Reserve, if it is not nil, with the memory of one engine that runs p.
func (o *Options) ReserveEngine(p *Program) error { return o.reserve(p.Estimate().EngineBytes) }

func (o *Options) check() error {
	if o.Check == nil {
		return nil
	}
	return o.Check()
}

// pause is called for each operation in the planning loops. It calls Options.Check once every
// scenario.CheckOps calls. It reports whether planning must end.
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
