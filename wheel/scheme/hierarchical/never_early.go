package hierarchical

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early with
// Config.Floor, and with MigrateOne or MigrateNone unless due ticks are rounded up to a slot.
func (w *hierarchical) NeverEarly() bool {
	return !w.config.Floor && (w.config.Migration == MigrateFull || w.config.Round == RoundCeil)
}
