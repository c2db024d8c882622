package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// NameTable records which timers' names have been sent to all sockets of a session. It also collects the names
// that the current message contains for the first time.
type NameTable struct {
	prog *program.Program
	sent []uint64 // bit set of the IDs of the timers whose names were sent
	List []byte   // names in the current message: the elements of a JSON list, without its brackets
}

// NewNameTable returns a table for the timers of p. No name is marked as sent.
func NewNameTable(p *program.Program) NameTable {
	return NameTable{prog: p, sent: make([]uint64, p.Timers()/64+1)}
}

// Open begins a new message by emptying List.
func (n *NameTable) Open() { n.List = n.List[:0] }

// Forget marks the names of all timers as not sent, so that later messages contain them again. It is called before each
// state, which repeats the names of its timers, and when a socket may not have received the names sent so far.
func (n *NameTable) Forget() { clear(n.sent) }

// MentionRecord calls Mention for the timer of r, if r has one. start is the start tick of the scenario.
func (n *NameTable) MentionRecord(r *engine.Record, start int64) {
	n.Mention(r.ID, r.Due-start, r.Kind.HasDue() || r.Kind == wheel.KindFinding)
}

// Mention adds the name and the due tick of the timer with the given ID to the message, unless the name was
// sent before. due is relative to the start of the scenario. If known is false, due is ignored and the message
// has null instead.
func (n *NameTable) Mention(id uint32, due int64, known bool) {
	word, bit := id/64, uint64(1)<<(id%64)
	if id == 0 || int(word) >= len(n.sent) || n.sent[word]&bit != 0 {
		return
	}
	n.sent[word] |= bit
	if len(n.List) > 0 {
		n.List = append(n.List, ',')
	}
	n.List = appendName(n.List, n.prog, id, due, known)
}

// appendName appends to b the three elements of a timer in a list of type Names. If known is false, the third is null
// instead of due.
func appendName(b []byte, p *program.Program, id uint32, due int64, known bool) []byte {
	b = strconv.AppendUint(b, uint64(id), 10)
	b = append(b, ',')
	// A scenario's names are valid UTF-8, so this can't fail.
	b, _ = jsontext.AppendQuote(b, p.Name(id))
	b = append(b, ',')
	if !known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, due, 10)
}
