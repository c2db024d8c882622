package sim

import (
	"context"
	"sort"

	"github.com/wheelscope/wheelscope/sim/program"
)

// Position is a position in a run: directly after event Seq, or at the end of Tick. A caller gives a position by its
// tick, with EndOf, or by its event, with After; Run.Locate finds the other.
type Position struct {
	Tick  int64 // tick of the position; -1 means unknown
	Seq   int64 // number of the last event before the position; 0 means that there is none, -1 unknown
	Whole bool  // whether all events of Tick are before the position
}

// Start is the position before the first event.
var Start = After(0)

// EndOf returns the position at the end of tick, or Start if tick is negative.
func EndOf(tick int64) Position {
	if tick < 0 {
		return Start
	}
	return Position{Tick: tick, Seq: -1, Whole: true}
}

// After returns the position directly after event seq, or before the first event if seq is 0.
func After(seq int64) Position { return Position{Tick: -1, Seq: seq} }

// IsStart reports whether p is the position before the first event. At the end of tick 0, if no events occur in it, the
// state is the same, but tick 0 must be computed.
func (p Position) IsStart() bool { return p.Seq == 0 && p.Tick <= 0 }

// ByTick reports whether p is the end of a tick, so that a seek to it needs no events of that tick.
func (p Position) ByTick() bool { return p.Whole && !p.IsStart() }

// Locate returns p with all fields set. It waits until the run is computed up to p. If p has both a tick and an event,
// the event is the last one before the position, and the tick counts only if it ends there. The error is a
// *PositionError if there is no such event. For Start, Locate reads only the workload, so that a run can be opened there
// before any tick is computed.
func (r *Run) Locate(ctx context.Context, p Position) (Position, error) {
	if p.IsStart() {
		return Position{Whole: startsSilent(r.prog)}, nil
	}
	if p.ByTick() {
		seq, err := r.SeqAt(ctx, p.Tick)
		return Position{p.Tick, seq, true}, err
	}
	at := Position{Whole: startsSilent(r.prog)}
	if p.Seq > 0 {
		c, err := r.ChunkWith(ctx, nil, p.Seq)
		if err != nil {
			return p, err
		}
		at = c.At(p.Seq)
	}
	if p.Tick > at.Tick {
		last, err := r.SeqAt(ctx, p.Tick)
		if err != nil || last == p.Seq {
			return Position{p.Tick, p.Seq, true}, err
		}
	}
	return at, nil
}

// SeqAt returns the number of the last event at or before tick, or 0 if there is none. It waits until tick is computed.
func (r *Run) SeqAt(ctx context.Context, tick int64) (int64, error) {
	if tick < 0 {
		return 0, nil
	}
	k, err := r.ChunkOf(ctx, EndOf(tick))
	if err != nil {
		return 0, err
	}
	if _, to := r.BordersOf(k); to.Tick <= tick {
		return to.Seq, nil
	}
	c, err := r.Chunk(ctx, k)
	if err != nil {
		return 0, err
	}
	n := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick > tick })
	return c.First - 1 + int64(n), nil
}

// TickOf returns the tick of event seq, or 0 if seq is 0. It returns a *PositionError if there is no such event.
func (r *Run) TickOf(ctx context.Context, seq int64) (int64, error) {
	at, err := r.Locate(ctx, After(seq))
	return at.Tick, err
}

// startsSilent reports whether no events occur at tick 0. Because the wheels are empty at that time, only operations
// on timers emit events.
func startsSilent(p *program.Program) bool {
	for i := 0; i < len(p.Ops) && p.Ops[i].At == 0; i++ {
		if p.Ops[i].Kind.Named() {
			return false
		}
	}
	return true
}
