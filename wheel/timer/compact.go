package timer

// compacter is a wheel that can release memory which its timers no longer need.
type compacter interface{ Compact() }

// Compact releases memory that is not needed for the timers that are pending now. It holds
// each shard's lock while it works: call it after a peak, when there is time.
func (w *Wheel) Compact() {
	for _, s := range w.all() {
		s.mu.Lock()
		if c, ok := s.wheel.(compacter); ok {
			c.Compact()
		}
		s.mu.Unlock()
	}
	if w.made() {
		w.keyed.each(keyedMap.compact)
	}
}
