package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// driveParameter returns the parameter "drive", which selects whether a delay queue or every tick drives the wheel.
// It has no default, so that a scenario that omits it has the same trace header as before the parameter existed.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"}}
}

// newTicked returns Kafka's wheel without its delay queue: a hierarchical wheel that rounds due ticks
// down. Its clock advances at every tick and examines the slot under each hand. A comparison with
// Kafka's own wheel shows the cost and the benefit of the queue.
func newTicked(c Config) (wheel.Wheel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return hierarchical.New(hierarchical.Config{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
