package sim

import (
	"context"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// LifeScanMax bounds the records that LifeOf searches.
const LifeScanMax = 1 << 19

// Life is the history of one timer in all lanes.
type Life struct {
	Seqs    []int64 // of Records
	Records []engine.Record
	Until   int64 // the last tick searched
	Whole   bool  // the history is complete
}

// LifeOf returns the history of a timer from the operation that schedules it, at most max records,
// without operations that did not find it. It searches about LifeScanMax records and may wait for
// the first pass. The error says that there is no such timer, or why the run cannot be read.
func LifeOf(ctx context.Context, r *Run, id uint32, max int) (*Life, error) {
	at, op, ok := armedAt(r.Prog, id)
	if !ok {
		return nil, scenario.Fault("id", "%d is not a timer of this run, which has %d", id, r.Prog.Timers())
	}
	seq, err := seqBefore(ctx, r, at, op)
	if err != nil {
		return nil, err
	}
	w := lifeWatch{id: id, max: max, life: &Life{Until: at}, ended: make([]bool, len(r.Prog.Scenario.Lanes))}
	for looked := 0; looked < LifeScanMax && !w.done; {
		k, err := r.chunkOfSeq(ctx, seq+1)
		if err != nil {
			return nil, err
		}
		c, err := r.chunk(ctx, k)
		if err != nil {
			return nil, err
		}
		rest := c.records[min(seq+1-c.first, int64(len(c.records))):]
		if len(rest) == 0 { // the end of the run
			w.life.Until, w.life.Whole = r.Prog.Until, true
			w.done = true
			continue
		}
		w.look(rest, seq+1)
		looked += len(rest)
		seq += int64(len(rest))
	}
	return w.life, nil
}

// lifeWatch collects the history of one timer.
type lifeWatch struct {
	id    uint32
	max   int
	life  *Life
	ended []bool // by lane: the timer has ended
	gone  int    // number of lanes in which it has ended
	done  bool   // the search is over
}

// look collects the timer's records from a range whose first record has seq. A tick in which
// the timer ends is searched to its end, since a repeating timer is scheduled again in it.
func (w *lifeWatch) look(records []engine.Record, seq int64) {
	for i := range records {
		rec := &records[i]
		if w.gone == len(w.ended) && rec.Tick > w.life.Until {
			w.life.Whole, w.done = true, true
			return
		}
		w.life.Until = rec.Tick
		if rec.ID != w.id || rec.Kind == wheel.KindMiss {
			continue
		}
		if w.done = len(w.life.Records) == w.max; w.done {
			return
		}
		w.life.Records = append(w.life.Records, *rec)
		w.life.Seqs = append(w.life.Seqs, seq+int64(i))
		w.note(rec)
	}
}

// note records whether the timer has ended in the event's lane. A repeating timer is scheduled
// again directly after it fired.
func (w *lifeWatch) note(rec *engine.Record) {
	gone := rec.Kind == wheel.KindCancel || rec.Kind == wheel.KindReject || rec.Kind == wheel.KindSweep || rec.Kind == wheel.KindExpire
	if gone != w.ended[rec.Lane] {
		w.ended[rec.Lane] = gone
		if gone {
			w.gone++
		} else {
			w.gone--
		}
	}
}

// seqBefore returns the last event before a tick. If the tick is divided into chunks, it
// returns the last event before operation op instead, since there may be millions of events
// between the two.
func seqBefore(ctx context.Context, r *Run, tick int64, op int) (int64, error) {
	k, err := r.chunkOfTick(ctx, tick)
	if err != nil {
		return 0, err
	}
	if from, to := r.bordersOf(k); to.tick != tick || !from.within {
		return r.SeqAt(ctx, tick-1)
	}
	ctx, leave, err := r.store.queue.Enter(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	e, err := r.engineAt(ctx, tick-1)
	if err != nil {
		return 0, err
	}
	defer r.discard(e) // it is within the tick
	err = e.RunWithin(tick, func() bool { return e.Lanes[0].Next == op })
	return e.Emitted(), err
}

// armedAt returns the tick and the index of the operation that schedules timer id.
func armedAt(p *program.Program, id uint32) (at int64, op int, ok bool) {
	if id == 0 || int(id) > p.Timers() {
		return 0, 0, false
	}
	for i := range p.Ops { // cancel operations have no id, so id is no index of Ops
		if p.Ops[i].ID == id {
			return p.Ops[i].At, i, true
		}
	}
	return 0, 0, false
}
