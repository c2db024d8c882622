package sim

// Cost is what the lane has spent at the end of its tick.
func (l *Lane) Cost() LaneCost { return l.costNow() }

// Waiting is how many timers are armed at the end of the lane's tick.
func (l *Lane) Waiting() int { return l.wheel.Len() }

// Snapshot tells how every lane stands at the end of the engine's tick. `most`
// bounds the timers listed of each place (wheel.AllEntries: all).
func (e *Engine) Snapshot(most int) *Snapshot { return e.snapshot(most) }
