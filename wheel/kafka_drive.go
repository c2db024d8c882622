package wheel

// SelfWaking is a wheel that its reference drives by a delay queue, not by ticks:
// what a Schedule has put into the past is due within the same tick. The driver
// calls Advance(Now()) after an operation where Next is not after Now.
type SelfWaking interface {
	Wheel
	WakesItself()
}

// driveParameter has no default for the reason that roundingParameter has none.
func driveParameter() Parameter {
	return Parameter{Name: "drive", Type: TypeChoice, Options: []string{"queue", "tick"},
		Meaning: Text{"what moves the clock: the delay queue (if left out), from one slot that holds timers to the next; or every tick, as a wheel without the queue would",
			"由什么推动时钟：queue（缺省）由延迟队列从一个非空槽跳到下一个；tick 每刻走一步，即没有该队列的轮子"}}
}

// newTickedKafka makes the same wheel without its delay queue: a clock that walks
// every tick and looks at the slot under each hand. That is a hierarchical wheel
// which rounds a due tick down. It shows what the queue saves, and what it costs:
// here the clock never stands.
func newTickedKafka(c KafkaConfig) (*Hierarchical, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return NewHierarchical(HierarchicalConfig{Slots: []int{c.Slots}, Grow: true, Endless: true, Width: c.Width, Start: c.Start, Floor: true})
}
