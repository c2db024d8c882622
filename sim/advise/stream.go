package advise

import (
	"encoding/binary"
	"time"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

const (
	chunkBytes   = 1 << 20
	plannedBytes = 64 // maximum size of an encoded operation
)

// Stream takes the operations of a workload one after another, in order of time, and keeps them in a few bytes each, so that a
// workload may be far larger than a program. IDs are used again for later timers, so that other memory depends on the number
// of pending timers.
type Stream struct {
	ref    *reference
	names  map[string]uint32 // IDs of the pending timers
	of     []string          // names of timers by ID; "" if the ID is free
	free   []uint32
	last   int64 // tick of the last operation
	until  int64
	chunks [][]byte
}

// NewStream returns an empty Stream.
func NewStream() *Stream {
	s := &Stream{ref: newReference(), names: map[string]uint32{}, of: make([]string, 1)}
	s.ref.ended = s.release
	return s
}

// Add adds an operation, whose tick must not be before that of the one before. An operation on a timer that is not pending
// has no effect; scheduling a pending timer replaces it.
func (s *Stream) Add(o *scenario.Op) {
	if s.until = max(s.until, o.At); !o.Kind.Named() {
		return
	}
	s.ref.advance(o.At) // names of timers that have fired are free
	p := program.Planned{At: o.At, Kind: o.Kind, Target: s.names[o.Timer]}
	if o.Kind.Arms() {
		p.Delay, p.Every, p.Times = o.Delay, o.Every, o.Times
		if p.Target != 0 && p.Kind == scenario.OpSchedule {
			p.Kind = scenario.OpSet
		}
		p.ID = s.newID(o.Timer)
	}
	if p.Target != 0 {
		s.release(p.Target)
	}
	if o.Kind.Arms() {
		s.names[o.Timer] = p.ID
	}
	s.append(&p)
	s.ref.add(&p)
}

// newID returns a free ID for a timer with the given name.
func (s *Stream) newID(name string) uint32 {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free, s.of[id] = s.free[:n-1], name
		return id
	}
	s.of = append(s.of, name)
	return uint32(len(s.of) - 1)
}

// release frees the ID of a timer that is no longer pending.
func (s *Stream) release(id uint32) {
	delete(s.names, s.of[id])
	s.of[id], s.free = "", append(s.free, id)
}

// append encodes an operation.
func (s *Stream) append(p *program.Planned) {
	n := len(s.chunks)
	if n == 0 || cap(s.chunks[n-1])-len(s.chunks[n-1]) < plannedBytes {
		s.chunks, n = append(s.chunks, make([]byte, 0, chunkBytes)), n+1
	}
	b := s.chunks[n-1]
	kind := byte(p.Kind)
	if p.Every > 0 {
		kind |= 1 << 7
	}
	b = binary.AppendUvarint(append(b, kind), uint64(p.At-s.last))
	b = binary.AppendUvarint(b, uint64(p.Target))
	if p.Kind.Arms() {
		b = binary.AppendVarint(binary.AppendUvarint(b, uint64(p.ID)), p.Delay)
	}
	if p.Every > 0 {
		b = binary.AppendVarint(binary.AppendVarint(b, p.Every), int64(p.Times))
	}
	s.chunks[n-1], s.last = b, p.At
}

// operations yields the operations.
func (s *Stream) operations(yield func(*program.Planned) bool) {
	at := int64(0)
	for _, b := range s.chunks {
		unsigned := func() uint64 {
			v, n := binary.Uvarint(b)
			b = b[n:]
			return v
		}
		signed := func() int64 {
			v, n := binary.Varint(b)
			b = b[n:]
			return v
		}
		for len(b) > 0 {
			kind := b[0]
			b = b[1:]
			at += int64(unsigned())
			p := program.Planned{At: at, Kind: scenario.OpKind(kind &^ (1 << 7)), Target: uint32(unsigned())}
			if p.Kind.Arms() {
				p.ID = uint32(unsigned())
				p.Delay = signed()
			}
			if kind&(1<<7) != 0 {
				p.Every = signed()
				p.Times = int32(signed())
			}
			if !yield(&p) {
				return
			}
		}
	}
}

// Workload returns a sample of the workload with the given name and length of a tick, which ends with the last operation.
// Herds are not looked for. s must not be used afterwards.
func (s *Stream) Workload(name string, tick time.Duration) (*Workload, error) {
	w := &Workload{Name: name, Tick: tick, until: s.until, timers: len(s.of) - 1}
	s.names, s.of, s.free, s.ref.ended = nil, nil, nil, nil
	return w, w.sample(s.ref, s.operations)
}
