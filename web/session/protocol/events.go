package protocol

import (
	"context"
	"strconv"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// EventsPart is one part of the answer to an "events" command.
type EventsPart struct {
	Data []byte // the "events" message
	To   int64  // number of the last event in it, or the number before the first event if it has none
	End  bool   // whether the run has no later events
}

// ReadEvents returns an "events" message with events of run from the one numbered from+1 on: at most rows of them, and
// as many as fit into EventsBytesMax. It contains only events that the run's first pass has computed. seq is the value
// of the header's Seq field.
func ReadEvents(ctx context.Context, run *sim.Run, seq, from int64, rows int) (EventsPart, error) {
	_, done := run.Computed() // before the number of events, which then includes all of them
	last := run.EventsComputed()
	from = min(from, last)
	at, err := run.Locate(ctx, sim.After(from))
	if err != nil {
		return EventsPart{}, err
	}
	before, err := run.Costs(ctx, at)
	if err != nil {
		return EventsPart{}, err
	}
	records, err := run.Records(ctx, from, min(from+int64(rows), last), rows)
	if err != nil {
		return EventsPart{}, err
	}
	w := eventsWriter{ctx: ctx, run: run, start: run.Program().Start, next: at.Tick, mentioned: map[uint32]struct{}{}, spent: make([]int64, len(before)), costs: NewCostRuns(len(before))}
	for i := range before {
		w.spent[i] = before[i].Total
	}
	n := 0
	for n < len(records) && w.fits() {
		if err := w.add(&records[n], from+1+int64(n)); err != nil {
			return EventsPart{}, err
		}
		n++
	}
	part := EventsPart{To: from + int64(n), End: done && from+int64(n) == last}
	if part.End {
		err = w.costsTo(run.Program().Until)
	} else if n > 0 {
		err = w.costsTo(records[n-1].Tick)
	}
	part.Data = w.message(run.Digest()[:sim.DigestShort], seq, from, part.End)
	return part, err
}

// eventsWriter collects the content of an "events" message.
type eventsWriter struct {
	ctx         context.Context
	run         *sim.Run
	start       int64 // start tick of the scenario
	rows, names []byte
	costs       *CostRuns
	mentioned   map[uint32]struct{} // timers whose names are in names
	spent       []int64             // total cost of each lane up to its last row
	next        int64               // tick of the last row; its costs and those of later ticks have not been added
}

// CostRuns is a list of costs per tick in the form of TickCosts. The elements of each lane are in order of their ticks.
type CostRuns struct {
	list []byte
	runs []costRun // for each lane, the ticks that will be its next element
}

// NewCostRuns returns an empty list for a number of lanes.
func NewCostRuns(lanes int) *CostRuns { return &CostRuns{runs: make([]costRun, lanes)} }

// costRun is a number of consecutive ticks of a lane with the same cost. If ticks is 0, there are none.
type costRun struct {
	tick, ticks int64
	work        wheel.Cost
}

// Sizes, in bytes, of what is added to a message before its size is checked again.
const (
	rowBytes   = RowWidth * 21                     // a row
	nameBytes  = 6*scenario.NameMax + 64           // a name, whose bytes may be escaped, with ID and due tick
	costBytes  = len(TickCostColumns) * 21         // an element of costs
	otherBytes = 512                               // the rest of the message
	oneMoreRow = rowBytes + nameBytes + otherBytes // what is needed for a further row, apart from costs
)

// fits reports whether the message has room for another row and for the costs of a further tick.
func (w *eventsWriter) fits() bool {
	return len(w.rows)+len(w.names)+len(w.costs.list)+oneMoreRow+2*costBytes*len(w.costs.runs) <= EventsBytesMax
}

// add adds the row of record r, whose event number is seq, and the costs of the ticks before it.
func (w *eventsWriter) add(r *engine.Record, seq int64) error {
	if err := w.costsTo(r.Tick - 1); err != nil {
		return err
	}
	if len(w.rows) > 0 {
		w.rows = append(w.rows, ',')
	}
	w.rows = AppendRow(w.rows, r, seq, w.start, r.Cost-w.spent[r.Lane])
	w.spent[r.Lane] = r.Cost
	if _, ok := w.mentioned[r.ID]; !ok && r.ID != 0 {
		w.mentioned[r.ID] = struct{}{}
		if len(w.names) > 0 {
			w.names = append(w.names, ',')
		}
		w.names = appendName(w.names, w.run.Program(), r.ID, r.Due-w.start, r.Kind.HasDue() || r.Kind == wheel.KindFinding)
	}
	return nil
}

// costsTo adds the costs of the ticks from w.next, the last one with a row, up to the given one. It omits ticks without
// events whose costs are not stored, because there may be billions of them, and ticks for which the message has no room.
func (w *eventsWriter) costsTo(tick int64) error {
	if w.next > tick {
		return nil
	}
	costs, err := w.run.Costs(w.ctx, sim.EndOf(w.next))
	for stored := true; err == nil && stored; {
		w.costs.Add(w.next, costs)
		if w.next++; w.next > tick || !w.fits() {
			break
		}
		costs, stored, err = w.run.StoredCosts(w.ctx, w.next)
	}
	w.next = max(w.next, tick+1)
	return err
}

// Add adds the costs of a tick, which is later than those before. costs has one element per lane.
func (c *CostRuns) Add(tick int64, costs []engine.LaneCost) {
	for i := range costs {
		u := &c.runs[i]
		if u.ticks > 0 && u.tick+u.ticks == tick && u.work == costs[i].Work {
			u.ticks++
			continue
		}
		c.end(i)
		*u = costRun{tick, 1, costs[i].Work}
	}
}

// end appends the ticks in c.runs[lane], if there are any.
func (c *CostRuns) end(lane int) {
	u := &c.runs[lane]
	if u.ticks == 0 {
		return
	}
	if len(c.list) > 0 {
		c.list = append(c.list, ',')
	}
	c.list = AppendList(c.list, int64(lane), u.tick, u.ticks, u.work.Slots, u.work.Touched, u.work.Compared, u.work.Moved)
	u.ticks = 0
}

// Len returns the length of the list in bytes, without its last elements.
func (c *CostRuns) Len() int { return len(c.list) }

// List returns the list as JSON without its brackets.
func (c *CostRuns) List() []byte {
	for i := range c.runs {
		c.end(i)
	}
	return c.list
}

// message returns the message.
func (w *eventsWriter) message(run string, seq, from int64, end bool) []byte {
	costs := w.costs.List()
	b := AppendHeader(make([]byte, 0, len(w.rows)+len(w.names)+len(costs)+otherBytes), "events", run, seq)
	b = AppendField(b, "from", from)
	b = append(b, `,"rows":[`...)
	b = append(b, w.rows...)
	b = append(b, `],"names":[`...)
	b = append(b, w.names...)
	b = append(b, `],"costs":[`...)
	b = append(b, costs...)
	b = append(b, `],"end":`...)
	b = strconv.AppendBool(b, end)
	return append(b, '}')
}
