package tracefile

import (
	"strconv"

	"github.com/wheelscope/wheelscope/sim/program"
)

// labelBytesMax is the maximum total size of all cached labels in bytes. Labels that do not fit are formatted
// for each line.
const labelBytesMax = 64 << 20

// labels caches the labels of timers. A label is the part of a line that identifies a timer: the value of the
// "id" field and the whole "timer" field, such as `7,"timer":"beat"`. A label is formatted when it is first
// used.
type labels struct {
	p     *program.Program
	at    []uint64 // location of each label, indexed by timer ID: offset in arena << 16 | length; 0 means not cached
	arena []byte
}

func newLabels(p *program.Program) labels {
	return labels{p: p, at: make([]uint64, p.Timers()+1)}
}

// append appends to dst the label of the timer with the given ID, which must be between 1 and l.p.Timers(). It caches
// the label if there is room.
func (l *labels) append(dst []byte, id uint32) []byte {
	if at := l.at[id]; at != 0 {
		from := at >> 16
		return append(dst, l.arena[from:from+at&0xffff]...)
	}
	from := len(dst)
	dst = strconv.AppendUint(dst, uint64(id), 10)
	dst = l.appendName(append(dst, `,"timer":`...), id)
	l.keep(id, dst[from:])
	return dst
}

// appendName appends the quoted name of the timer with the given ID to dst.
func (l *labels) appendName(dst []byte, id uint32) []byte {
	return appendString(dst, l.p.Name(id))
}

// keep caches label, the label of the timer with the given ID, if there is room. Its length fits in 16 bits: a name has
// at most scenario.NameMax bytes, and at most six times as many when it is escaped.
func (l *labels) keep(id uint32, label []byte) {
	if len(l.arena)+len(label) > labelBytesMax {
		return
	}
	l.at[id] = uint64(len(l.arena))<<16 | uint64(len(label))
	l.arena = append(l.arena, label...)
}
