package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config is the geometry of a wheel of one of the seeds' libraries.
type Config struct {
	Slots     int        // 1 to SlotsMax
	Width     wheel.Tick // base ticks per tick of the wheel, 1 or more
	Start     wheel.Tick // when its ticker starts
	TickNanos int64      // nanoseconds per base tick, for libraries that compute in seconds; 0: one second
	Corrected bool       // none of the published faults, unless Faults names some
	Faults    []string   // only these; nil: all or none
}

// FaultsOf returns those faults of `names` that are switched on.
func (c *Config) FaultsOf(names []string) core.Faults {
	p := catalog.Params{}
	if c.Corrected {
		p["as"] = catalog.AsCorrected
	}
	if c.Faults != nil {
		p["faults"] = c.Faults
	}
	return core.ReadFaults(p, names)
}

// Nanos returns the length of a base tick in nanoseconds.
func (c *Config) Nanos() int64 {
	if c.TickNanos == 0 {
		return nanosPerSecond
	}
	return c.TickNanos
}

// ConfigOf returns the Config given by the parameters of a lane.
func ConfigOf(p catalog.Params, s catalog.Env) Config {
	list, _ := p["faults"].([]string)
	return Config{int(p["slots"].(int64)), p["width"].(int64), s.Start, s.TickNanos, p["as"] == catalog.AsCorrected, list}
}
