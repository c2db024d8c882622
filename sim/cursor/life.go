package cursor

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// LifeScanMax is the approximate maximum number of records that one call to TimerHistoryOf searches.
const LifeScanMax = 1 << 19

// TimerHistory is the history of one timer in all lanes of a run.
type TimerHistory struct {
	Seqs    []int64 // Seqs[i] is the number of Records[i] among the events of the run
	Records []engine.Record
	Until   int64 // last tick searched
	Whole   bool  // whether the history is complete; false if the search ended at a limit of TimerHistoryOf
}

// TimerHistoryOf returns the history of timer id: its first records, at most max of them, beginning with the
// operation that schedules it. Cancels and resets that had no effect are left out. TimerHistoryOf searches about
// LifeScanMax records from the chunk of the first one on, and waits until they have been computed. The error is a *scenario.InputError if the run
// has no such timer.
func TimerHistoryOf(ctx context.Context, r *sim.Run, id uint32, max int) (*TimerHistory, error) {
	at, ok := armedAt(r.Program(), id)
	if !ok {
		return nil, scenario.Fault("id", "%d is not a timer of this run, which has %d", id, r.Program().Timers())
	}
	seq, err := r.SeqAt(ctx, at-1)
	if err != nil {
		return nil, err
	}
	w := historyCollector{id: id, max: max, history: &TimerHistory{Until: at}, ended: make([]bool, len(r.Program().Scenario.Lanes))}
	for looked := 0; looked < LifeScanMax && !w.done; {
		k, err := r.ChunkOf(ctx, sim.After(seq+1))
		if err != nil {
			return nil, err
		}
		c, err := r.Chunk(ctx, k)
		if err != nil {
			return nil, err
		}
		rest := c.Records[min(seq+1-c.First, int64(len(c.Records))):]
		if len(rest) == 0 { // the end of the run
			w.history.Until, w.history.Whole = r.Program().Until, true
			w.done = true
			continue
		}
		w.look(rest, seq+1)
		if len(w.history.Records) > 0 { // the tick may have millions of events before the first
			looked += len(rest)
		}
		seq += int64(len(rest))
	}
	return w.history, nil
}

// historyCollector collects the history of the timer with the given ID, at most max records.
type historyCollector struct {
	id      uint32
	max     int
	history *TimerHistory
	ended   []bool // whether the timer has ended in each lane, indexed by lane
	gone    int    // number of lanes in which the timer has ended
	done    bool   // whether the search has ended
}

// look appends to w.history those of the given records that belong to the timer w.id, and sets w.done if the search
// has ended. seq is the number of records[0] in the run. When the timer has ended in all lanes, look still searches
// the rest of the tick in which it ended, because a repeating timer is scheduled again in the same tick.
func (w *historyCollector) look(records []engine.Record, seq int64) {
	for i := range records {
		rec := &records[i]
		if w.gone == len(w.ended) && rec.Tick > w.history.Until {
			w.history.Whole, w.done = true, true
			return
		}
		w.history.Until = rec.Tick
		if rec.ID != w.id || rec.Kind == wheel.KindMiss {
			continue
		}
		if w.done = len(w.history.Records) == w.max; w.done {
			return
		}
		w.history.Records = append(w.history.Records, *rec)
		w.history.Seqs = append(w.history.Seqs, seq+int64(i))
		w.note(rec)
	}
}

// note records whether the timer has ended in the lane of rec. A repeating timer has not ended if it is
// scheduled again directly after it fires.
func (w *historyCollector) note(rec *engine.Record) {
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

// armedAt returns the tick at which an operation schedules timer id, or false if there is no such timer.
func armedAt(p *program.Program, id uint32) (at int64, ok bool) {
	if id == 0 || int(id) > p.Timers() {
		return 0, false
	}
	for i := range p.Ops { // cancel operations have no id, so id is no index of Ops
		if p.Ops[i].ID == id {
			return p.Ops[i].At, true
		}
	}
	return 0, false
}
