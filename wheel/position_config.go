package wheel

// PositionConfig is the geometry of a wheel of one of the seeds' libraries.
type PositionConfig struct {
	Slots     int      // 1 to SlotsMax
	Width     Tick     // base ticks a tick of the wheel, 1 or more
	Start     Tick     // when its ticker starts
	TickNanos int64    // nanoseconds of a base tick, for what computes in seconds; 0: a second
	Corrected bool     // none of the published faults, unless Faults names some
	Faults    []string // only these; nil: all or none
}

// faults are those of `names` that are switched on.
func (c *PositionConfig) faults(names []string) faults {
	p := Params{}
	if c.Corrected {
		p["as"] = asCorrected
	}
	if c.Faults != nil {
		p["faults"] = c.Faults
	}
	return readFaults(p, names)
}

// nanos is the length of a base tick.
func (c *PositionConfig) nanos() int64 {
	if c.TickNanos == 0 {
		return nanosASecond
	}
	return c.TickNanos
}

// positionConfig reads the parameters of a lane.
func positionConfig(p Params, s Setting) PositionConfig {
	list, _ := p["faults"].([]string)
	return PositionConfig{int(p["slots"].(int64)), p["width"].(int64), s.Start, s.TickNanos, p["as"] == asCorrected, list}
}
