// Package race measures what structures of timers cost as the number of pending timers grows: the units of work of a
// schedule, a cancel and a tick, by each algorithm's own rule.
//
// The workload is the same for all: n timers are pending; in each tick one timer is scheduled, with a delay drawn
// uniformly from 1 to 2n ticks, so that one fires per tick on average and n stay pending. In every 16th tick a pending
// timer chosen at random is cancelled and replaced by one with the same due tick, which is not counted. The draws come
// from a fixed seed, so the figures are the same on every machine.
package race

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Row is a structure, and its cost by the number of timers.
type Row struct {
	Name   string  `json:"name"`          // of the row, for its texts
	Points []Point `json:"points"`        // in order of N; the last may be below the largest N, see Cut
	Cut    string  `json:"cut,omitempty"` // why there are no more points: "slots", "timers", "time" or "lane"; "" if there are all
}

// Point is what a structure costs with N pending timers, in units of work.
type Point struct {
	N        int     `json:"n"`
	Slots    int     `json:"slots,omitempty"` // number of slots of all levels
	Bytes    int64   `json:"bytes"`           // memory of timers and slots
	Schedule float64 `json:"schedule"`        // mean of a schedule
	Cancel   float64 `json:"cancel"`          // mean of a cancel
	Tick     float64 `json:"tick"`            // mean of a tick, with the timer that fires
	Worst    int64   `json:"worst"`           // costliest tick of all that are measured
}

// measuredTicks is the number of ticks that are measured.
const measuredTicks = 20_000

// warmTicks is the number of ticks before, in which a structure reaches its steady state. It is small against n for large
// n: timers are scheduled at first in descending order of due tick, which every structure accepts in constant time.
const warmTicks = 2_000

// Numbers returns the numbers of pending timers that are measured, from 10 to 100,000 in equal ratios, rounded to two digits.
func Numbers() []int {
	var list []int
	for k := range 33 {
		x := math.Pow(10, 1+float64(k)/8)
		digit := math.Pow(10, math.Floor(math.Log10(x)+1e-9)-1)
		list = append(list, int(math.Round(math.Round(x/digit)*digit)))
	}
	return list
}

// entrant is a structure of the race.
type entrant struct {
	name, id string
	params   func(n int) catalog.Params
}

func fixed(p catalog.Params) func(int) catalog.Params { return func(int) catalog.Params { return p } }

// entrants are the rows, in the order of the page.
var entrants = []entrant{
	{"simple", "simple", func(n int) catalog.Params { return catalog.Params{"slots": int64(2*n + 1)} }},
	{"rounds", "rounds", fixed(catalog.Params{"slots": int64(256)})},
	{"hierarchical", "hierarchical", fixed(catalog.Params{"slots": int64(64), "levels": int64(3)})},
	{"heap", "heap", fixed(nil)},
	{"sorted", "sorted", fixed(nil)},
}

// errLimit is the error of a measurement if a structure cannot hold the timers of the workload.
var errLimit = errors.New("race: beyond the range or the capacity of the structure")

// RowTime is the time after which a row of a Contest is cut.
const RowTime = 10 * time.Second

// part is the number of ticks that are measured between two looks at the clock.
const part = 64

// Contest measures structures a part at a time, each with all of its numbers of timers. It must not be used concurrently.
type Contest struct {
	Rows     []Row
	entrants []*entrant
	ns       []int
	limit    time.Duration // for a row; 0 means none
	spent    []time.Duration
	next     int // index of the next point: that of its number, times the number of entrants, plus that of its entrant
	now      *measuring
}

func newContest(list []entrant, ns []int, limit time.Duration) *Contest {
	c := &Contest{ns: ns, limit: limit, spent: make([]time.Duration, len(list))}
	for i := range list {
		c.entrants = append(c.entrants, &list[i])
		c.Rows = append(c.Rows, Row{Name: list[i].name, Points: []Point{}})
	}
	return c
}

// NewContest returns the contest of the lanes of a scenario, whose rows have the IDs of the lanes as names.
func NewContest(lanes []scenario.LaneSpec) *Contest {
	var list []entrant
	for _, l := range lanes {
		list = append(list, entrant{l.ID, l.Algorithm, fixed(l.Params)})
	}
	c := newContest(list, Numbers(), RowTime)
	for i, l := range lanes {
		if l.Algorithm == recorded.ID { // it only has the answers for its scenario
			c.Rows[i].Cut = "lane"
		}
	}
	return c
}

// Done returns the number of points that are measured or will not be, and the number of all.
func (c *Contest) Done() (done, all int) { return c.next, len(c.ns) * len(c.entrants) }

// Measure measures for about the given time, or until all is measured or ctx is done.
func (c *Contest) Measure(ctx context.Context, span time.Duration) error {
	for began := time.Now(); time.Since(began) < span && ctx.Err() == nil; {
		done, all := c.Done()
		if done == all {
			return nil
		}
		i, n := done%len(c.entrants), c.ns[done/len(c.entrants)]
		row := &c.Rows[i]
		if row.Cut != "" {
			c.next++
			continue
		}
		from := time.Now()
		err := c.measure(c.entrants[i], n, row)
		if c.spent[i] += time.Since(from); err == nil && c.now != nil && c.limit > 0 && c.spent[i] > c.limit {
			row.Cut, c.now = "time", nil
			c.next++
		}
		if err != nil {
			return fmt.Errorf("%s with %d timers: %w", row.Name, n, err)
		}
	}
	return ctx.Err()
}

// measure measures a part of a point, and adds the point to the row if it is complete.
func (c *Contest) measure(e *entrant, n int, row *Row) (err error) {
	if c.now == nil {
		c.now, err = e.start(n)
	}
	var done bool
	if err == nil {
		done, err = c.now.run(part)
	}
	bad := (*wheel.ParamError)(nil)
	switch {
	case done:
		row.Points = append(row.Points, c.now.point)
	case errors.As(err, &bad):
		row.Cut = "slots"
	case errors.Is(err, errLimit):
		row.Cut = "timers"
	case c.limit > 0 && c.now == nil, errors.Is(err, wheel.ErrPast), errors.Is(err, wheel.ErrFault):
		row.Cut = "lane"
	default:
		return err
	}
	c.next, c.now = c.next+1, nil
	return nil
}

// Compute measures the structures of the page with each of the numbers of timers ns. progress is called before each point; it
// may be nil.
func Compute(ns []int, progress func(name string, n int)) ([]Row, error) {
	c := newContest(entrants, ns, 0)
	for {
		done, all := c.Done()
		if done == all {
			return c.Rows, nil
		}
		if progress != nil && c.now == nil {
			progress(c.Rows[done%len(entrants)].Name, ns[done/len(entrants)])
		}
		if err := c.Measure(context.Background(), time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// field is a structure with the timers of the workload.
type field struct {
	wheel.Observable
	rng     *rand.Rand
	n       int
	pending []timer        // in any order
	at      map[uint32]int // index in pending, by key
	free    []uint32       // keys that are not used
	fired   []wheel.Expiry
}

type timer struct {
	key uint32
	due wheel.Tick
	t   wheel.Timer
}

// measuring is the measurement of one point, which can be continued.
type measuring struct {
	field
	point                  Point
	now                    wheel.Tick
	schedules, ends, ticks wheel.Cost
	cancels                int64
}

// start begins to measure e with n pending timers.
func (e *entrant) start(n int) (*measuring, error) {
	w, err := algorithms.New(e.id, e.params(n), 0)
	if err != nil {
		return nil, err
	}
	m := &measuring{field: field{Observable: w, rng: rand.New(rand.NewPCG(uint64(n), 0x72616365)), n: n, at: map[uint32]int{}}, point: Point{N: n}}
	return m, m.fill()
}

// run measures some more ticks. It reports whether the point is complete.
func (m *measuring) run(ticks int) (done bool, err error) {
	for range ticks {
		if m.now == warmTicks+measuredTicks {
			p := &m.point
			for _, l := range m.Layout().Levels { // with those that the wheel has added
				p.Slots += l.Slots
			}
			p.Schedule, p.Cancel, p.Tick = mean(m.schedules, measuredTicks), mean(m.ends, m.cancels), mean(m.ticks, measuredTicks)
			return true, nil
		}
		m.now++
		measured := m.now > warmTicks
		t := m.cost(func() { m.advance(m.now) })
		s := m.cost(func() { err = cmp.Or(err, m.schedule(m.now+m.delay())) })
		if m.now%16 == 0 && len(m.pending) > 0 {
			old := m.pending[m.rng.IntN(len(m.pending))]
			c := m.cost(func() { m.cancel(old.key) })
			err = cmp.Or(err, m.schedule(old.due))
			if measured {
				m.ends, m.cancels = add(m.ends, c), m.cancels+1
			}
		}
		if err != nil {
			return false, err
		}
		if measured {
			m.ticks, m.schedules = add(m.ticks, t), add(m.schedules, s)
			m.point.Worst = max(m.point.Worst, t.Total())
			m.point.Bytes = max(m.point.Bytes, m.Bytes())
		}
	}
	return false, nil
}

// fill schedules the timers that are pending at tick 0 if one has been scheduled in each tick before.
func (f *field) fill() error {
	var dues []wheel.Tick
	for ago := range wheel.Tick(2 * f.n) {
		if due := f.delay() - ago; due > 0 {
			dues = append(dues, due)
		}
	}
	slices.Sort(dues)
	for _, due := range slices.Backward(dues) {
		if err := f.schedule(due); err != nil {
			return err
		}
	}
	return nil
}

func (f *field) delay() wheel.Tick { return 1 + f.rng.Int64N(int64(2*f.n)) }

// cost returns the work that do makes.
func (f *field) cost(do func()) wheel.Cost {
	before := f.Cost()
	do()
	return f.Cost().Sub(before)
}

func (f *field) schedule(due wheel.Tick) error {
	key := uint32(len(f.pending) + 1)
	if n := len(f.free); n > 0 {
		key, f.free = f.free[n-1], f.free[:n-1]
	}
	t, _, err := f.Schedule(wheel.Spec{Due: due, Key: key})
	if errors.Is(err, wheel.ErrRange) || errors.Is(err, wheel.ErrCapacity) {
		return errLimit
	}
	if err != nil {
		return err
	}
	f.at[key] = len(f.pending)
	f.pending = append(f.pending, timer{key, due, t})
	return nil
}

func (f *field) cancel(key uint32) {
	f.Cancel(f.pending[f.at[key]].t)
	f.ended(key)
}

func (f *field) advance(to wheel.Tick) {
	f.fired, _ = f.Advance(to, f.fired[:0], 0)
	for _, e := range f.fired {
		f.ended(e.Key)
	}
}

// ended removes the timer key from those that are pending.
func (f *field) ended(key uint32) {
	i, last := f.at[key], len(f.pending)-1
	f.pending[i] = f.pending[last]
	f.at[f.pending[i].key] = i
	f.pending = f.pending[:last]
	delete(f.at, key)
	f.free = append(f.free, key)
}

func add(a, b wheel.Cost) wheel.Cost {
	return wheel.Cost{Slots: a.Slots + b.Slots, Touched: a.Touched + b.Touched, Compared: a.Compared + b.Compared, Moved: a.Moved + b.Moved}
}

// mean returns the units of c for each of n, to a tenth.
func mean(c wheel.Cost, n int64) float64 { return math.Round(10*float64(c.Total())/float64(n)) / 10 }

//go:embed race.json
var table []byte

// Rows returns the figures that `make race` has written: the rows for all of Numbers.
var Rows = sync.OnceValue(func() (rows []Row) {
	if err := json.Unmarshal(table, &rows); err != nil {
		panic("race: " + err.Error())
	}
	return rows
})
