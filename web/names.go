package web

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim/program"
)

// nameBook records which timers' names all sockets of a session have received, and collects those
// that the message being written mentions for the first time.
type nameBook struct {
	prog *program.Program
	told []uint64 // a bit per id: its name was sent
	list []byte   // elements of the message's list of names
}

func newNameBook(p *program.Program) nameBook {
	return nameBook{prog: p, told: make([]uint64, p.Timers()/64+1)}
}

// open begins a message.
func (n *nameBook) open() { n.list = n.list[:0] }

// forget marks all names as not sent, for a socket that has received none.
func (n *nameBook) forget() { clear(n.told) }

// mention adds a timer's name to the message unless it was sent before. due is its due tick
// relative to the scenario's start; it is ignored unless known is true.
func (n *nameBook) mention(id uint32, due int64, known bool) {
	word, bit := id/64, uint64(1)<<(id%64)
	if id == 0 || int(word) >= len(n.told) || n.told[word]&bit != 0 {
		return
	}
	n.told[word] |= bit
	if len(n.list) > 0 {
		n.list = append(n.list, ',')
	}
	n.list = strconv.AppendUint(n.list, uint64(id), 10)
	n.list = append(n.list, ',')
	// A scenario's names are valid UTF-8, so this can't fail.
	n.list, _ = jsontext.AppendQuote(n.list, n.prog.Name(id))
	n.list = append(n.list, ',')
	if !known {
		n.list = append(n.list, "null"...)
		return
	}
	n.list = strconv.AppendInt(n.list, due, 10)
}
