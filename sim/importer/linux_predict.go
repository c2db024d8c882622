package importer

import (
	"context"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// predict runs the workload of s in a single lane, which linux specifies. It compares the slot in which each
// timer is placed with the bucket_expiry field of the trace, which is the due tick as rounded by the kernel. It
// returns notes that give the number of timers in the right slot and describe the first timer in a wrong slot, or
// nil if the trace has no bucket_expiry field.
func (w *kernelWorkload) predict(ctx context.Context, s *scenario.Scenario, linux scenario.LaneSpec, o *Options) ([]texts.Message, error) {
	wanted := w.wanted()
	if len(wanted) == 0 {
		return nil, nil
	}
	p, err := program.PlanWith(s.WithLanes([]scenario.LaneSpec{linux}), o.Plan)
	if err != nil {
		return nil, err
	}
	if err := o.Plan.ReserveEngine(p); err != nil {
		return nil, err
	}
	e, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	e.Bind(ctx)
	right, first := 0, texts.Message{}
	var recs []engine.Record
	for t, ok := e.Next(); ok; t, ok = e.Next() {
		recs = e.Tick(t, recs[:0])
		if err := e.Err(); err != nil {
			return nil, err
		}
		for i := range recs {
			r := &recs[i]
			want, ok := wanted[r.ID]
			if r.Kind != wheel.KindPlace || !ok {
				continue
			}
			got := bucketOf(r, r.Tick+p.Start)
			if got == want.bucket {
				right++
			} else if first.Key == "" {
				first = texts.Of("import.note.predicted.first", "line", want.line, "kernel", want.bucket, "lane", got)
			}
		}
	}
	notes := []texts.Message{texts.Of("import.note.predicted", "right", right, "starts", len(wanted))}
	if first.Key != "" {
		notes = append(notes, first)
	}
	return notes, nil
}

// bucketWanted holds the value of the bucket_expiry field of a timer_start line, and the number of that line.
type bucketWanted struct{ bucket, line int64 }

// wanted returns the bucketWanted of each timer_start line that has a bucket_expiry, by timer ID. Timer IDs
// are assigned in the order of the operations.
func (w *kernelWorkload) wanted() map[uint32]bucketWanted {
	all := map[uint32]bucketWanted{}
	id := uint32(0)
	for i := range w.ops {
		if !w.ops[i].Kind.Arms() {
			continue
		}
		if id++; w.buckets[i] > 0 {
			all[id] = bucketWanted{w.buckets[i], w.lines[i]}
		}
	}
	return all
}

// bucketOf returns the tick at which the wheel will visit the slot in which r, a record of kind place, puts a
// timer. now is the tick of r. Both ticks are absolute.
func bucketOf(r *engine.Record, now int64) int64 {
	const slots, shift = 64, 3
	level := shift * int(r.ToLevel)
	q := now >> level
	q += (int64(r.ToSlot) - q) & (slots - 1)
	ahead := level > 0 || r.Due > now // an overdue timer is placed in the slot of now
	if q<<level < now || ahead && q<<level == now {
		q += slots
	}
	return q << level
}
