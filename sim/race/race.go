// Package race measures what structures of timers cost as the number of pending timers grows: the units of work of a
// schedule, a cancel and a tick, by each algorithm's own rule.
//
// The workload is the same for all: n timers are pending; in each tick one timer is scheduled, with a delay drawn
// uniformly from 1 to 2n ticks, so that one fires per tick on average and n stay pending. In every 16th tick a pending
// timer chosen at random is cancelled and replaced by one with the same due tick, which is not counted. The draws come
// from a fixed seed, so the figures are the same on every machine.
package race

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Row is a structure, and its cost by the number of timers.
type Row struct {
	Name   string  `json:"name"`          // of the row, for its texts
	Points []Point `json:"points"`        // in order of N; the last may be below the largest N, see Cut
	Cut    string  `json:"cut,omitempty"` // why there are no more points: "slots" or "timers"; "" if there are all
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

// errLimit is the error of measure if a structure cannot hold the timers of the workload.
var errLimit = errors.New("race: beyond the range or the capacity of the structure")

// Compute measures the structure of each row with each of the numbers of timers ns. progress is called before each point; it
// may be nil.
func Compute(ns []int, progress func(name string, n int)) ([]Row, error) {
	var rows []Row
	for _, e := range entrants {
		row := Row{Name: e.name}
		for _, n := range ns {
			if progress != nil {
				progress(e.name, n)
			}
			p, err := e.measure(n)
			if bad := (*wheel.ParamError)(nil); errors.As(err, &bad) {
				row.Cut = "slots"
				break
			}
			if errors.Is(err, errLimit) {
				row.Cut = "timers"
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s with %d timers: %w", e.name, n, err)
			}
			row.Points = append(row.Points, p)
		}
		rows = append(rows, row)
	}
	return rows, nil
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

// measure returns the cost of e with n pending timers.
func (e *entrant) measure(n int) (Point, error) {
	w, err := algorithms.New(e.id, e.params(n), 0)
	if err != nil {
		return Point{}, err
	}
	f := &field{Observable: w, rng: rand.New(rand.NewPCG(uint64(n), 0x72616365)), n: n, at: map[uint32]int{}}
	if err := f.fill(); err != nil {
		return Point{}, err
	}
	p := Point{N: n}
	for _, l := range w.Layout().Levels {
		p.Slots += l.Slots
	}
	var schedule, cancel, tick wheel.Cost
	cancels := int64(0)
	for now := wheel.Tick(1); now <= warmTicks+measuredTicks; now++ {
		measured := now > warmTicks
		t := f.cost(func() { f.advance(now) })
		s := f.cost(func() { err = cmp.Or(err, f.schedule(now+f.delay())) })
		if now%16 == 0 && len(f.pending) > 0 {
			old := f.pending[f.rng.IntN(len(f.pending))]
			c := f.cost(func() { f.cancel(old.key) })
			err = cmp.Or(err, f.schedule(old.due))
			if measured {
				cancel, cancels = add(cancel, c), cancels+1
			}
		}
		if err != nil {
			return p, err
		}
		if measured {
			tick, schedule = add(tick, t), add(schedule, s)
			p.Worst = max(p.Worst, t.Total())
			p.Bytes = max(p.Bytes, w.Bytes())
		}
	}
	p.Schedule, p.Cancel, p.Tick = mean(schedule, measuredTicks), mean(cancel, cancels), mean(tick, measuredTicks)
	return p, nil
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
	if err := json.NewDecoder(bytes.NewReader(table)).Decode(&rows); err != nil {
		panic("race: " + err.Error())
	}
	return rows
})
