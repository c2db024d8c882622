package recorded

import (
	"encoding/binary"
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
)

// Source is a wheel that a user has written. An error ends its use. Its answers must depend on the calls alone.
type Source interface {
	// Schedule schedules a timer with a key that is not pending, at tick now. Answer.OK is false if it is rejected.
	Schedule(now, due wheel.Tick, key uint32) (Answer, error)
	// Cancel cancels a pending timer. Answer.OK is false if the source does not have it.
	Cancel(now wheel.Tick, key uint32) (Answer, error)
	// Advance moves the clock from tick from, by single ticks, to the first tick at which a timer fires or changes its
	// place, but at most to tick to. It may stop earlier.
	Advance(from, to wheel.Tick) (Answer, error)
}

// Answer is what a source has answered to a call.
type Answer struct {
	OK    bool
	Quiet []Quiet // of Advance: ticks in which nothing happened, in order
	// Work reports whether Advance has moved the clock by one more tick, after those in Quiet, in which the things
	// below happened.
	Work bool
	Cost int64 // units of work in this call or tick
	// Fired holds keys, in order. In an answer to another call than Advance they fired while the source came to the present.
	Fired []uint32
	Moved []Move // places that have changed since they were last told
}

// Quiet is a number of ticks that cost Cost units of work each.
type Quiet struct {
	Ticks int64
	Cost  int64
}

// Move is the place of the pending timer Key.
type Move struct {
	Key    uint32
	Level  int8
	Slot   uint32
	Rounds int64 // -1 if the wheel does not tell them
}

// Log holds the answers of a source in the order of the calls. A complete log does not change.
type Log struct {
	levels []wheel.Level
	data   []byte
	max    int // maximum length of data
}

// NewLog returns an empty log of at most the given number of bytes for a wheel with the given levels. If there are none, the
// wheel tells no places.
func NewLog(levels []wheel.Level, bytes int64) *Log { return &Log{levels: levels, max: int(bytes)} }

// Parts returns what FromParts makes the log of.
func (l *Log) Parts() (levels []wheel.Level, data []byte) { return l.levels, l.data }

// FromParts returns a complete log, such as one of another process.
func FromParts(levels []wheel.Level, data []byte) *Log { return &Log{levels: levels, data: data} }

// Kinds of entries. A quiet entry has a number of ticks and the cost of each.
const (
	entryQuiet = iota
	entryWork  // a tick with work
	entryDone  // a schedule or cancel, answered with true
	entryRefused
)

// add appends a, the answer to Advance or to another call.
func (l *Log) add(a *Answer, advance bool) error {
	for _, q := range a.Quiet {
		l.put(entryQuiet, q.Ticks, q.Cost)
	}
	if a.Work || !advance {
		kind := int64(entryWork)
		switch {
		case !advance && a.OK:
			kind = entryDone
		case !advance:
			kind = entryRefused
		}
		l.put(kind, a.Cost, int64(len(a.Fired)))
		for _, key := range a.Fired {
			l.put(int64(key))
		}
		l.put(int64(len(a.Moved)))
		for _, m := range a.Moved {
			l.put(int64(m.Key), int64(m.Level), int64(m.Slot), m.Rounds)
		}
	}
	if len(l.data) > l.max {
		return fmt.Errorf("its answers take more than %d bytes", l.max)
	}
	return nil
}

func (l *Log) put(numbers ...int64) {
	for _, n := range numbers {
		l.data = binary.AppendVarint(l.data, n)
	}
}

// cursor is a position in a log.
type cursor struct {
	at   int   // index of the next entry
	used int64 // ticks of it, if it is quiet, that have passed
}

// end reports whether c is behind the last entry.
func (c *cursor) end(l *Log) bool { return c.at >= len(l.data) }

// next reads a number.
func (c *cursor) next(l *Log) int64 {
	n, size := binary.Varint(l.data[c.at:])
	c.at += size
	return n
}

// peek returns the kind of the next entry. If it is quiet, ticks are those left and cost is that of each.
func (c cursor) peek(l *Log) (kind, ticks, cost int64) {
	if kind = c.next(l); kind == entryQuiet {
		ticks = c.next(l) - c.used
		cost = c.next(l)
	}
	return kind, ticks, cost
}

// skip passes n ticks of the next entry, which is quiet.
func (c *cursor) skip(l *Log, n int64) {
	c.used += n
	next := *c
	next.next(l)
	ticks := next.next(l)
	if next.next(l); c.used == ticks {
		*c = cursor{at: next.at}
	}
}

// read reads the next entry, which is not quiet, into a.
func (c *cursor) read(l *Log, a *Answer) {
	kind := c.next(l)
	*a = Answer{OK: kind == entryDone, Work: kind == entryWork, Cost: c.next(l), Fired: a.Fired[:0], Moved: a.Moved[:0]}
	for range c.next(l) {
		a.Fired = append(a.Fired, uint32(c.next(l)))
	}
	for range c.next(l) {
		a.Moved = append(a.Moved, Move{uint32(c.next(l)), int8(c.next(l)), uint32(c.next(l)), c.next(l)})
	}
}
