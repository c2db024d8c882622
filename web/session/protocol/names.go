package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// NameTable records the timers whose names all sockets of a session have received. It collects the names that
// the message being written contains for the first time.
type NameTable struct {
	prog *program.Program
	sent []uint64 // bit set of the ids of the timers whose names were sent
	List []byte   // JSON elements of the list of names in the message
}

func NewNameTable(p *program.Program) NameTable {
	return NameTable{prog: p, sent: make([]uint64, p.Timers()/64+1)}
}

// Open begins a new message: it empties List.
func (n *NameTable) Open() { n.List = n.List[:0] }

// Forget marks the names of all timers as not sent, since a new socket has received none of them.
func (n *NameTable) Forget() { clear(n.sent) }

// MentionRecord adds the name of the timer of r to the message, unless it was sent before or r has no timer.
// start is the start tick of the scenario.
func (n *NameTable) MentionRecord(r *engine.Record, start int64) {
	n.Mention(r.ID, r.Due-start, r.Kind.HasDue() || r.Kind == wheel.KindFinding)
}

// Mention adds the name of a timer to the message unless it was sent before. due is its due tick relative to
// the scenario's start, and is ignored unless known is true.
func (n *NameTable) Mention(id uint32, due int64, known bool) {
	word, bit := id/64, uint64(1)<<(id%64)
	if id == 0 || int(word) >= len(n.sent) || n.sent[word]&bit != 0 {
		return
	}
	n.sent[word] |= bit
	if len(n.List) > 0 {
		n.List = append(n.List, ',')
	}
	n.List = strconv.AppendUint(n.List, uint64(id), 10)
	n.List = append(n.List, ',')
	// A scenario's names are valid UTF-8, so this can't fail.
	n.List, _ = jsontext.AppendQuote(n.List, n.prog.Name(id))
	n.List = append(n.List, ',')
	if !known {
		n.List = append(n.List, "null"...)
		return
	}
	n.List = strconv.AppendInt(n.List, due, 10)
}
