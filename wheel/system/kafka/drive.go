package kafka

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// driveParameter has no default, for the same reason as RoundingParameter.
func driveParameter() catalog.Parameter {
	return catalog.Parameter{Name: "drive", Type: catalog.TypeChoice, Options: []string{"queue", "tick"},
		Meaning: catalog.Text{EN: "what moves the clock: the delay queue (if left out), from one slot that holds timers to the next; or every tick, as a wheel without the queue would",
			ZH: "由什么推动时钟：queue（缺省）由延迟队列从一个非空槽跳到下一个；tick 每刻走一步，即没有该队列的轮子"}}
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
