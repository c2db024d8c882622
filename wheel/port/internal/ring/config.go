package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/internal/core"
)

// Config holds the geometry of a wheel and the faults that are switched on.
type Config struct {
	Slots     int        // number of slots, 1 to SlotsMax
	Width     wheel.Tick // base ticks per tick of the wheel, 1 or more
	Start     wheel.Tick // tick at which the wheel's ticker starts
	TickNanos int64      // nanoseconds per base tick, for libraries that compute in seconds; 0 means one second
	Corrected bool       // whether to switch off all faults; ignored if Faults is not nil
	Faults    []string   // faults to switch on; nil means the default faults of the library, or none if Corrected is set
}

// FaultsOf returns the set of faults that c switches on. names lists the names of all faults of the
// library; bit i of the result corresponds to names[i].
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

// Nanos returns the number of nanoseconds per base tick.
func (c *Config) Nanos() int64 {
	if c.TickNanos == 0 {
		return nanosPerSecond
	}
	return c.TickNanos
}

// ConfigOf returns the Config for a lane with the parameters p. The start tick and the length of a
// tick are those of s.
func ConfigOf(p catalog.Params, s catalog.Env) Config {
	list, _ := p["faults"].([]string)
	return Config{int(p["slots"].(int64)), p["width"].(int64), s.Start, s.TickNanos, p["as"] == catalog.AsCorrected, list}
}
