package web

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/sim"
)

// nameBook knows which timers' names everyone in a session has been told, and
// gathers those that the message being written mentions for the first time.
type nameBook struct {
	prog *sim.Program
	told []uint64 // a bit an id
	list []byte   // the inside of the list of names of the message being written
}

func newNameBook(p *sim.Program) nameBook {
	return nameBook{prog: p, told: make([]uint64, p.Timers()/64+1)}
}

// open begins a message.
func (n *nameBook) open() { n.list = n.list[:0] }

// forget makes every name unknown again: someone joined who was told none.
func (n *nameBook) forget() { clear(n.told) }

// mention sees to it that the message tells the timer's name, if it was not told
// before. due is relative to the scenario's start, and known where the event
// tells one.
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
	// A scenario's names are valid UTF-8, so there is no error to be had.
	n.list, _ = jsontext.AppendQuote(n.list, n.prog.Name(id))
	n.list = append(n.list, ',')
	if !known {
		n.list = append(n.list, "null"...)
		return
	}
	n.list = strconv.AppendInt(n.list, due, 10)
}
