package hierarchical

// NeverEarly reports whether no timer fires before its due tick. Timers can fire early if
// Config.Floor is set, and with MigrateOne or MigrateNone unless Config.Round is RoundCeil.
func (w *hierarchical) NeverEarly() bool {
	return !w.config.Floor && (w.config.Migration == MigrateFull || w.config.Round == RoundCeil)
}
