package sim

import (
	"slices"
	"sort"
	"unsafe"

	"github.com/wheelscope/wheelscope/sim/engine"
)

// Chunk contains the records of one or more complete ticks. A Chunk is immutable.
type Chunk struct {
	First   int64           // number in the run of Records[0]
	Records []engine.Record // records in trace order
	Steps   []int           // for each step, the number of records in the chunk up to and including its last record

	from   int64             // tick of the border before the chunk
	before []engine.LaneCost // costs of the lanes at the end of tick from
	ticks  []int64           // ticks whose costs are stored, in ascending order; nil means all ticks of the chunk
	costs  []engine.LaneCost // costs at the end of each of these ticks, one row per tick with one element per lane
}

// costTicksMax is the maximum number of ticks of a chunk that stores the costs of each tick. A chunk with more ticks
// stores those of the ticks with events and of the ticks before them.
const costTicksMax = 1 << 13

// Sizes of a chunk's elements in bytes.
const (
	recordBytes   = int64(unsafe.Sizeof(engine.Record{}))
	laneCostBytes = int64(unsafe.Sizeof(engine.LaneCost{}))
	stepBytes     = 8
)

// newChunk returns an empty chunk for the events between two borders. e is an engine at the first of them.
func newChunk(from, to Position, e *engine.Engine) *Chunk {
	c := &Chunk{First: from.Seq + 1, Records: make([]engine.Record, 0, to.Seq-from.Seq), from: from.Tick, before: e.Costs()}
	if n := to.Tick - from.Tick; n <= costTicksMax {
		c.costs = make([]engine.LaneCost, 0, n*int64(len(e.Lanes)))
	} else {
		c.ticks = []int64{}
	}
	return c
}

func (c *Chunk) bytes() int64 {
	return int64(cap(c.Records))*recordBytes + int64(cap(c.Steps))*stepBytes + int64(cap(c.costs))*laneCostBytes + int64(cap(c.ticks))*8
}

// replay runs engine e up to the end of the given tick and adds the records, the steps and the costs to c.
func (c *Chunk) replay(e *engine.Engine, to int64) error {
	for at := e.At(); at < to; {
		next, ok := e.Next()
		if !ok || next > to {
			next = to + 1
		}
		if c.ticks != nil {
			at = max(at, next-2) // only the costs of the last tick before next
		}
		for at++; at < next; at++ {
			if c.ticks != nil && next > to {
				break
			}
			if err := e.FinishTick(at); err != nil {
				return err
			}
			c.addCosts(e, at)
		}
		if at = next; next > to {
			break
		}
		had := len(c.Records)
		c.Records = e.Tick(next, c.Records)
		for _, m := range e.Marks {
			c.Steps = append(c.Steps, had+m)
		}
		if err := e.Err(); err != nil {
			return err
		}
		c.addCosts(e, next)
	}
	for _, l := range e.Lanes {
		l.Idle(to)
	}
	return e.Err()
}

// addCosts adds the current costs of e's lanes, those at the end of tick.
func (c *Chunk) addCosts(e *engine.Engine, tick int64) {
	if c.ticks != nil {
		c.ticks = append(c.ticks, tick)
	}
	for _, l := range e.Lanes {
		c.costs = append(c.costs, l.Cost())
	}
}

// CostsOf returns the costs of the lanes at the end of tick, or false if the chunk does not store them. It stores those
// of every tick with events. The caller must not change the slice.
func (c *Chunk) CostsOf(tick int64) ([]engine.LaneCost, bool) {
	k, n := tick-c.from-1, int64(len(c.before))
	if c.ticks != nil {
		i, ok := slices.BinarySearch(c.ticks, tick)
		if k = int64(i); !ok {
			return nil, false
		}
	}
	if k < 0 || (k+1)*n > int64(len(c.costs)) {
		return nil, false
	}
	return c.costs[k*n : (k+1)*n : (k+1)*n], true
}

// CostsAt returns the costs of the lanes directly after event seq of the chunk.
func (c *Chunk) CostsAt(seq int64) []engine.LaneCost {
	at := c.At(seq)
	after, _ := c.CostsOf(at.Tick)
	if at.Whole {
		return after
	}
	before, ok := c.CostsOf(at.Tick - 1)
	if !ok {
		before = c.before
	}
	costs := make([]engine.LaneCost, len(before))
	for i := range costs {
		costs[i] = before[i].UpTo(at.Tick, before[i].Total, &after[i])
	}
	from, _ := c.Tick(at.Tick)
	for k := from; k <= seq-c.First; k++ {
		rec := &c.Records[k]
		costs[rec.Lane] = before[rec.Lane].UpTo(at.Tick, rec.Cost, &after[rec.Lane])
	}
	return costs
}

// Last returns the number in the run of the chunk's last record.
func (c *Chunk) Last() int64 { return c.First - 1 + int64(len(c.Records)) }

// Has reports whether the chunk contains event seq. It returns false if c is nil.
func (c *Chunk) Has(seq int64) bool { return c != nil && seq >= c.First && seq <= c.Last() }

// Tick returns the indices [from, to) of the records of tick t in c.Records.
func (c *Chunk) Tick(t int64) (from, to int64) {
	a := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick >= t })
	b := sort.Search(len(c.Records), func(i int) bool { return c.Records[i].Tick > t })
	return int64(a), int64(b)
}

// At returns the position directly after event seq of the chunk.
func (c *Chunk) At(seq int64) Position {
	if !c.Has(seq) {
		return After(seq)
	}
	k := seq - c.First
	tick := c.Records[k].Tick
	return Position{tick, seq, k+1 == int64(len(c.Records)) || c.Records[k+1].Tick > tick}
}

// Step returns the range of the step that contains event seq of the chunk: the number of the last event before the
// step, and that of its last event. A step is a range of events with the same cause: one operation, executed in all
// lanes, or the work of one lane at one position of a hand. It never continues in another tick.
func (c *Chunk) Step(seq int64) (before, end int64) {
	k := sort.SearchInts(c.Steps, int(seq+1-c.First))
	before = c.First - 1
	if k > 0 {
		before += int64(c.Steps[k-1])
	}
	return before, c.First - 1 + int64(c.Steps[k])
}

// StepEnds appends to ends the numbers, in (from, to], of the chunk's events that end a step.
func (c *Chunk) StepEnds(from, to int64, ends []int64) []int64 {
	for k := sort.SearchInts(c.Steps, int(from+2-c.First)); k < len(c.Steps); k++ {
		end := c.First - 1 + int64(c.Steps[k])
		if end > to {
			break
		}
		ends = append(ends, end)
	}
	return ends
}
