package hierarchical

// NeverEarly implements wheel.NeverEarly. Timers can fire early with Floor, and without full
// migration unless due ticks are rounded up to a slot.
func (w *hierarchical) NeverEarly() bool {
	return !w.config.Floor && (w.config.Migration == MigrateFull || w.config.Round == RoundCeil)
}
