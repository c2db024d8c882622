package sim

// Cost is what the lane has spent at the end of its tick.
func (l *Lane) Cost() LaneCost { return l.costNow() }

// Waiting is how many timers are armed at the end of the lane's tick.
func (l *Lane) Waiting() int { return l.wheel.Len() }
