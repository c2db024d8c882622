package hierarchical

// NeverEarly implements wheel.NeverEarly: Floor fires early, and so does a timer that does not
// migrate to level 0 unless its due tick is rounded up to its slot.
func (w *hierarchical) NeverEarly() bool {
	return !w.config.Floor && (w.config.Migration == MigrateFull || w.config.Round == RoundCeil)
}
