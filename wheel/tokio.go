package wheel

import "math/bits"

const (
	tokioLevels = 6
	tokioBits   = 6 // of a level's digit: 64 slots
	tokioSpan   = 1 << (tokioLevels * tokioBits)
)

// Tokio is the timer wheel of the Rust runtime tokio (runtime/time/wheel): 6
// levels of 64 slots. A timer stands at the level of the highest digit (of 6
// bits) in which its due tick differs from the clock, and a word of 64 bits a
// level says which slots are occupied, so that the next one is found without
// looking at the others. With ticks of 1 ms:
//
//	level   slot       range
//	0       1 ms       64 ms
//	1       64 ms      4.1 s
//	2       4.1 s      4.4 min
//	3       4.4 min    4.7 h
//	4       4.7 h      12 d
//	5       12 d       2.2 a
//
// What is farther stands at level 5 and is placed again when its slot is met.
//
//	start, stop    O(1)
//	tick           nothing but where a slot is occupied
//
// The wheel of tokio-util's DelayQueue (time/wheel) has the same levels. It refuses
// what is 2^36 ticks or more ahead, and its slots are stacks: last in, first out.
type Tokio struct {
	base
	clock Tick
	tower
	util bool // the DelayQueue's
}

// TokioConfig says which of the two wheels is meant.
type TokioConfig struct {
	Start Tick // the clock at the beginning
	Util  bool // that of tokio-util's DelayQueue, not the runtime's
}

// NewTokio makes an empty wheel. The error is a *ParamError.
func NewTokio(c TokioConfig) (*Tokio, error) {
	start := c.Start
	if err := checkStart(start); err != nil {
		return nil, err
	}
	w := &Tokio{clock: start, util: c.Util}
	w.now = start
	for range tokioLevels {
		w.addLevel(1<<tokioBits, w.topSpan(), start)
	}
	return w, nil
}

func buildTokio(p Params, start Tick) (Wheel, error) {
	return NewTokio(TokioConfig{start, p["library"] == "tokio-util"})
}

// Schedule arms a timer in O(1).
func (w *Tokio) Schedule(s Spec) (Timer, int, error) { return w.schedule(w, &s) }

func (w *Tokio) place(i uint32, n *node) verdict {
	if n.due <= w.clock {
		if w.tooMany(n, w.clock) {
			return badPast
		}
		return due
	}
	if w.util && n.due-w.clock >= tokioSpan {
		return badRange
	}
	l := w.levelFor(n.due)
	s := w.put(&w.arena, i, n, l, w.levels[l].index(n.due))
	if w.log != nil {
		w.tellPlace(KindPlace, n, NoLevel, 0, int8(l), s, NoRounds)
	}
	return placed
}

// levelFor is the level of the highest digit in which tick e differs from the
// clock, found without comparing level by level.
func (w *Tokio) levelFor(e Tick) int {
	differ := uint64(w.clock^e) | (1<<tokioBits - 1)
	if differ >= tokioSpan {
		return tokioLevels - 1
	}
	return (bits.Len64(differ) - 1) / tokioBits
}

// Cancel disarms a timer in O(1).
func (w *Tokio) Cancel(t Timer) bool { return w.cancel(&w.base, t) }

// Next is the tick at which the next occupied slot begins.
func (w *Tokio) Next() (Tick, bool) {
	k := w.next()
	return k, k > 0
}

// next is the first tick at which the reference, polled at every tick, opens a
// slot, or 0. The lowest occupied level decides: its timers agree with the clock
// in every higher digit.
func (w *Tokio) next() int64 {
	for i := range w.levels {
		l := &w.levels[i]
		occupied := l.occ.words[0]
		if occupied == 0 {
			continue
		}
		if i == tokioLevels-1 {
			occupied &^= bits.RotateLeft64(occupied, 1)
		}
		return nextAfter(occupied, l, w.clock)
	}
	return 0
}

// nextAfter is the tick after the clock at which the hand of level l comes to a
// slot in the word, or 0 for none. In the top level the word lacks each slot that
// follows an occupied one. The reference takes the first occupied slot from the
// clock's own on, and one whose beginning has passed for a whole range later; so
// a timer more than a range ahead, in the clock's slot, hides the next slot.
func nextAfter(word uint64, l *level, clock Tick) Tick {
	if word == 0 {
		return 0
	}
	hand := l.index(clock)
	ahead := bits.TrailingZeros64(bits.RotateLeft64(word, -int(l.slotOf(hand+1)))) + 1
	return (hand + int64(ahead)) * l.width
}

// Advance goes from one occupied slot to the next.
func (w *Tokio) Advance(to Tick, fired []Expiry, budget int) ([]Expiry, Status) {
	return w.advance(w, 1, to, fired, budget)
}

// walk moves the clock to k; slots that are not occupied are not examined.
func (w *Tokio) walk(k Tick) { w.clock = k }

// step opens the slot that begins now: the only one, for timers of two levels
// differ from the clock in different digits.
func (w *Tokio) step(fired []Expiry) []Expiry {
	for i := range w.levels {
		l := &w.levels[i]
		if l.occ.words[0] != 0 {
			return w.open(i, l.slotOf(l.index(w.clock)), fired)
		}
	}
	return fired
}

// open works what stands in slot s of level l: it fires if it is due, or moves
// to the place that it has now, perhaps several levels down.
func (w *Tokio) open(l int, s uint32, fired []Expiry) []Expiry {
	index := w.levels[l].first + s
	here := len(w.slots[index].ids)
	w.cost.Slots++
	if w.log != nil {
		w.tellHand(int8(l), s, 0)
	}
	if w.util {
		fired = w.unstack(l, s, here, fired)
	} else {
		for k := range here {
			if !w.arena.spendStride(k, here) {
				return fired
			}
			if i, n := w.entry(index, k); n == nil {
				continue
			} else if n.due <= w.clock {
				w.cost.Touched++
				fired = w.expired(w, i, n, int8(l), s, fired)
			} else {
				w.lower(i, n, l, s, w.levelFor(n.due))
			}
		}
	}
	w.slots[index].settle(&w.arena, index, 0, here)
	w.settleEmpty(&w.arena, l, index)
	return fired
}

// entry is the timer of entry k of a slot, over all levels; nil where it has left.
func (w *Tokio) entry(index uint32, k int) (uint32, *node) {
	if !w.slots[index].holds(&w.arena, index, k) {
		return 0, nil
	}
	i := w.slots[index].ids[k]
	return i, w.arena.at(i)
}

// lower moves a timer from slot s of level l to level `to`.
func (w *Tokio) lower(i uint32, n *node, l int, s uint32, to int) {
	w.cost.Touched++
	w.cost.Moved++
	slot := w.put(&w.arena, i, n, to, w.levels[to].index(n.due))
	if w.log != nil {
		w.tellPlace(KindCascade, n, int8(l), s, int8(to), slot, NoRounds)
	}
}

// IdlePeak is nothing: a tick at which no slot is opened costs nothing.
func (w *Tokio) IdlePeak(Tick) (int64, Tick) { return 0, 0 }

// Layout is a ring for each level.
func (w *Tokio) Layout() Layout { return w.layout(1) }

// AppendState appends the slots that hold timers, finest level first.
func (w *Tokio) AppendState(s *State, most int) {
	s.Levels = append(s.Levels, w.Layout().Levels...)
	w.appendState(&w.arena, s, most)
	s.Counts, s.Live = w.counts, w.arena.live
}

// Clone copies the wheel.
func (w *Tokio) Clone() Wheel {
	c := *w
	c.log = nil
	c.arena, c.tower = w.arena.clone(), w.tower.clone()
	return &c
}

// Bytes is the memory of the arena, the slots and the words.
func (w *Tokio) Bytes() int64 { return w.arena.bytes() + w.tower.bytes() }

// Check verifies every slot, and that each timer stands in the slot of its own
// digit and agrees with the clock in all higher ones.
func (w *Tokio) Check() error {
	c := checker{arena: &w.arena}
	c.tower(&w.tower, func(i int, s int64, n *node) bool {
		l := &w.levels[i]
		mine, clock := n.due/l.width, w.clock/l.width
		top := i == tokioLevels-1
		return mine%l.n == s && (top || mine > clock && mine/l.n == clock/l.n)
	})
	return c.done()
}
