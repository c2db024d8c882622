package wheel

// hander is a structure whose hand (or clock) goes from one tick with work to the
// next. Its ticks are wheel ticks, u base ticks each.
type hander interface {
	next() int64                  // the next wheel tick with work, past the clock; 0: none
	walk(k int64)                 // brings the hand to wheel tick k and counts what it passes
	step(fired []Expiry) []Expiry // does the work of the wheel tick it has come to
}

// advance is Advance of every wheel: it goes from work to work, so that empty
// ticks cost nothing.
func (b *base) advance(w hander, u int64, to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	to = min(to, TickMax)
	if b.stopped() {
		return fired, b.status()
	}
	if to < b.now {
		return fired, Done
	}
	target, work := to/u, int64(0)
	for k := w.next(); k > 0 && k <= target; k = w.next() {
		if !b.arena.spend(1) {
			break
		}
		before := b.cost.Touched
		w.walk(k)
		fired = w.step(fired)
		if b.stopped() {
			b.now = k * u
			return fired, b.status()
		}
		work += 1 + b.cost.Touched - before
		if budget > 0 && work >= int64(budget) && k < target {
			b.now = k * u
			return fired, Budget
		}
	}
	if b.arena.aborted {
		return fired, Aborted
	}
	w.walk(target)
	b.now = to
	return fired, Done
}

// ringPeak is IdlePeak of a structure that examines one slot (or head) a wheel
// tick.
func ringPeak(clock, u int64, to Tick) (int64, Tick) {
	if to/u <= clock {
		return 0, 0
	}
	return 1, (clock + 1) * u
}
