package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// driveParameter returns the parameter "drive", which selects whether the wheel is driven by a delay queue or advanced
// at every tick. It has no default, because a default would change the trace headers of scenarios that omit the
// parameter.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"}}
}

// newTicked returns Kafka's wheel without its delay queue, for comparison with the wheel that New
// returns. It is a hierarchical wheel that rounds due ticks down. Its clock advances at every tick,
// and it examines the slot under each hand that moves.
func newTicked(c Config) (wheel.Wheel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return hierarchical.New(hierarchical.Config{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
