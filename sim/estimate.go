package sim

// Estimate is replaced when the estimate branch is merged.
type Estimate struct{ Bytes, Events, TickEvents int64 }

func (p *Program) Estimate() Estimate {
	return Estimate{Bytes: p.bytes() + int64(p.Timers()*len(p.Scenario.Lanes))*48}
}
