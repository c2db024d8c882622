package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/herd"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Herd is a set of timers with one period and one phase, which therefore fire together: repeating ones, or ones that their
// callers schedule anew each time.
type Herd struct {
	Every  int64   // period in base ticks
	Phase  int64   // due ticks modulo Every
	Timers int     // number of timers
	runs   [][]int // for each time they are scheduled, the indices in Program.Ops of the operations
}

// Herds returns the herds of p, the largest first. A timer belongs to a herd if it runs at least twice.
func Herds(p *program.Program) []Herd {
	ends := make([]int64, p.Timers()+1) // for each timer, the tick at which it is cancelled or replaced
	for id := range ends {
		ends[id] = math.MaxInt64
	}
	for i := range p.Ops {
		if o := &p.Ops[i]; o.Target != 0 {
			ends[o.Target] = min(ends[o.Target], o.At)
		}
	}
	type key struct{ every, phase int64 }
	of := map[key]*Herd{}
	all := map[int64]int64{} // number of timers by period
	var single []herd.Arming
	var ops []int // indices of the operations of single
	for i := range p.Ops {
		o := &p.Ops[i]
		if !o.Kind.Arms() {
			continue
		}
		if due := o.At + o.Delay; o.Every <= 0 && o.Delay > 0 && due <= p.Until && ends[o.ID] >= due {
			single, ops = append(single, herd.Arming{At: o.At, Due: due}), append(ops, i)
		}
		second := o.At + o.Delay + o.Every
		if o.Every <= 0 || o.Times == 1 || second > p.Until || ends[o.ID] <= second {
			continue
		}
		k := key{o.Every, (o.At + o.Delay) % o.Every}
		if of[k] == nil {
			of[k] = &Herd{Every: k.every, Phase: k.phase, runs: make([][]int, 1)}
		}
		of[k].runs[0] = append(of[k].runs[0], i)
		all[k.every]++
	}
	var herds []Herd
	for _, h := range of {
		h.Timers = len(h.runs[0])
		if even := (all[h.Every] + h.Every - 1) / h.Every; h.Timers >= herd.Least && int64(h.Timers) >= herd.Ratio*even {
			herds = append(herds, *h)
		}
	}
	for _, h := range herd.Rearmed(single) {
		to := Herd{Every: h.Every, Phase: h.Due % h.Every, Timers: h.Timers}
		for _, run := range h.Runs {
			list := make([]int, len(run))
			for k, i := range run {
				list[k] = ops[i]
			}
			to.runs = append(to.runs, list)
		}
		herds = append(herds, to)
	}
	slices.SortFunc(herds, func(a, b Herd) int {
		return cmp.Or(-cmp.Compare(a.Timers, b.Timers), cmp.Compare(a.Every, b.Every), cmp.Compare(a.Phase, b.Phase))
	})
	return herds
}

// Spread returns the scenario of p with its herds spread over their periods: generated groups get a jitter of a whole
// period, and operations are moved by even parts of it. It has not been planned.
func Spread(p *program.Program) *scenario.Scenario {
	s := p.Scenario.Clone()
	s.Ops, s.Generate = slices.Clone(s.Ops), slices.Clone(s.Generate)
	type place struct {
		at    int64
		timer string
	}
	written := map[place]int{} // index in s.Ops of the last operation that schedules a timer at a tick
	for i := range s.Ops {
		if o := &s.Ops[i]; o.Kind.Arms() {
			written[place{o.At, o.Timer}] = i
		}
	}
	until := s.Until
	for _, h := range Herds(p) {
		for n, run := range h.runs {
			for k, op := range run {
				o := &p.Ops[op]
				i, ok := written[place{o.At, p.Name(o.ID)}]
				by := int64(k) * h.Every / int64(len(run))
				switch {
				case !ok:
					jitter(s, p.Name(o.ID), h.Every)
				case n == 0:
					s.Ops[i].Delay = o.Delay + by
				default:
					s.Ops[i].At = o.At + by
					until = max(until, s.Ops[i].At)
				}
			}
		}
	}
	s.Until = until
	return s
}

// jitter gives the generated group of the named timer a jitter of its whole period, if it has none and repeats after every
// ticks.
func jitter(s *scenario.Scenario, name string, every int64) {
	for i := range s.Generate {
		g := &s.Generate[i]
		index, ok := strings.CutPrefix(name, g.Prefix)
		if _, err := strconv.Atoi(index); ok && err == nil && g.Jitter == nil && g.Repeat.Every.Ticks == every {
			g.Jitter = &scenario.Jitter{Share: scenario.DecimalOne}
			return
		}
	}
}

// worstTick returns the cost of the costliest tick of p's only lane from the given tick on.
func worstTick(ctx context.Context, p *program.Program, from int64) (worst int64, err error) {
	eng, err := engine.NewEngine(p)
	if err != nil {
		return 0, err
	}
	l := eng.Lanes[0]
	l.Bind(ctx)
	for n := 0; l.Err == nil; n++ {
		at, ok := l.NextTick()
		if !ok || n%engine.PauseTicks == 0 && ctx.Err() != nil {
			break
		}
		if l.FinishTick(at); at >= from {
			worst = max(worst, l.TickCost())
		}
	}
	return worst, cmp.Or(l.Err, ctx.Err())
}

// Spreading is what spreading the herds of a program gains: the costliest ticks of one lane, before and after, in units.
type Spreading struct {
	Timers int           // number of timers in the largest herd
	Period time.Duration // of the largest herd
	Lane   string        // ID of the lane with the costliest tick
	Before int64
	After  int64
}

// SpreadGain returns what spreading the herds of p gains, or nil if there is no herd or the costliest tick falls by less than
// a half. It runs the lane with the costliest tick twice, and looks at the ticks from the first one in which a herd
// fires. rows are the results of the lanes of p.
func SpreadGain(ctx context.Context, p *program.Program, rows []engine.LaneResult) (*Spreading, error) {
	herds := Herds(p)
	if len(herds) == 0 {
		return nil, nil
	}
	worst := 0
	for i := range p.Scenario.Lanes {
		if rows[i].WorstTick > rows[worst].WorstTick {
			worst = i
		}
	}
	q, err := p.WithLanes(p.Scenario.Lanes[worst])
	if err != nil {
		return nil, err
	}
	spread, err := program.Plan(Spread(q))
	if err != nil { // the operations of a herd depend on each other in a way that forbids moving them
		return nil, nil
	}
	from := p.Until
	for _, h := range herds {
		o := &p.Ops[h.runs[0][0]]
		from = min(from, o.At+o.Delay)
	}
	before, err := worstTick(ctx, q, from)
	if err != nil {
		return nil, err
	}
	after, err := worstTick(ctx, spread, from)
	if err != nil || 2*after > before {
		return nil, err
	}
	tick, err := scenario.ParseTick(p.Scenario.Tick)
	if err != nil {
		return nil, err
	}
	return &Spreading{herds[0].Timers, time.Duration(herds[0].Every) * time.Duration(tick), rows[worst].Lane, before, after}, nil
}

// Words returns a sentence about g; none if g is nil.
func (g *Spreading) Words() []texts.Message {
	if g == nil {
		return nil
	}
	return []texts.Message{texts.Of("verdict.herd", "n", texts.Count(int64(g.Timers)), "period", g.Period.String(), "lane", g.Lane,
		"worst", texts.Count(g.Before), "least", texts.Count(g.After))}
}
