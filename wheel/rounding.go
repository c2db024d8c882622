package wheel

// rounding says how a due tick becomes a wheel tick, u base ticks long: the end of
// the one that it lies in, or (the early variant of the seeds, and Kafka's rule)
// its beginning.
type rounding bool

const (
	roundUp   rounding = false // never early, up to u−1 base ticks late
	roundDown rounding = true  // never late, up to u−1 base ticks early
)

// roundingParameter has no default, so that a lane that leaves it out is told in
// the header of a trace as it was before there was a choice.
func roundingParameter() Parameter {
	return Parameter{Name: "rounding", Type: TypeChoice, Options: []string{"ceil", "floor"},
		Meaning: Text{"how a due tick between two slots is rounded: ceil (if left out) to the slot after it, never early; floor to the one before it, up to width − 1 base ticks early",
			"到期刻度落在两个槽之间时如何取整：ceil（缺省）取后一个槽，绝不提前；floor 取前一个槽，最多提前 width − 1 个基本刻度"}}
}

func roundingOf(p Params) rounding { return p["rounding"] == "floor" }

// tick is the wheel tick at which a timer due at base tick x fires.
func (r rounding) tick(x Tick, u int64) int64 {
	if r == roundDown {
		return x / u
	}
	return ceilDiv(x, u)
}

// reached is the last base tick whose timers a clock at wheel tick k has reached.
func (r rounding) reached(k, u int64) Tick {
	if r == roundDown {
		return k*u + u - 1
	}
	return k * u
}
