package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// driveParameter has no default, for the same reason as RoundingParameter.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"}}
}

// newTicked creates the same wheel without its delay queue: a clock that processes every tick
// and examines the slot under each hand. That is a hierarchical wheel which rounds a due
// tick down. It shows what the queue saves and what it costs: without the queue, the clock
// never stops.
func newTicked(c Config) (wheel.Wheel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return hierarchical.New(hierarchical.Config{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
