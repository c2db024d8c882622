package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// driveParameter returns the parameter "drive". Like that of RoundingParameter, it has no default.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"}}
}

// newTicked returns the same wheel without its delay queue: a clock processes every tick and
// examines the slot under each hand. This is a hierarchical wheel that rounds due ticks down. It
// shows the cost and the benefit of the queue, without which the clock always advances.
func newTicked(c Config) (wheel.Wheel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return hierarchical.New(hierarchical.Config{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
