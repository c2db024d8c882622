package compare

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Herd is a set of repeating timers with one period and one phase, which therefore fire together.
type Herd struct {
	Every  int64 // period in base ticks
	Phase  int64 // due ticks modulo Every
	Timers int   // number of timers
	ops    []int // indices in Program.Ops of the operations that schedule them
}

// A herd has at least herdLeast timers, and herdRatio times as many as a tick would have if all timers of the period were
// spread evenly over it: otherwise spreading them gains little.
const (
	herdLeast = 32
	herdRatio = 4
)

// Herds returns the herds of p, the largest first. A timer belongs to a herd if it runs at least twice. Timers that their
// callers schedule again and again, instead of repeating them, are not recognized.
func Herds(p *program.Program) []Herd {
	ends := map[uint32]int64{} // tick at which a repeating timer is cancelled or replaced
	repeating := map[uint32]bool{}
	for i := range p.Ops {
		o := &p.Ops[i]
		if repeating[o.Target] {
			if _, ended := ends[o.Target]; !ended {
				ends[o.Target] = o.At
			}
		}
		if o.Kind.Arms() && o.Every > 0 {
			repeating[o.ID] = true
		}
	}
	type key struct{ every, phase int64 }
	of := map[key]*Herd{}
	all := map[int64]int64{} // number of timers by period
	for i := range p.Ops {
		o := &p.Ops[i]
		second := o.At + o.Delay + o.Every
		if end, ended := ends[o.ID]; !o.Kind.Arms() || o.Every <= 0 || o.Times == 1 || second > p.Until || ended && end <= second {
			continue
		}
		k := key{o.Every, (o.At + o.Delay) % o.Every}
		if of[k] == nil {
			of[k] = &Herd{Every: k.every, Phase: k.phase}
		}
		of[k].ops = append(of[k].ops, i)
		all[k.every]++
	}
	var herds []Herd
	for _, h := range of {
		h.Timers = len(h.ops)
		if even := (all[h.Every] + h.Every - 1) / h.Every; h.Timers >= herdLeast && int64(h.Timers) >= herdRatio*even {
			herds = append(herds, *h)
		}
	}
	slices.SortFunc(herds, func(a, b Herd) int {
		return cmp.Or(-cmp.Compare(a.Timers, b.Timers), cmp.Compare(a.Every, b.Every), cmp.Compare(a.Phase, b.Phase))
	})
	return herds
}

// spread returns p with the first due ticks of each herd spread evenly over its period.
func spread(p *program.Program, herds []Herd) *program.Program {
	q := *p
	q.Ops = slices.Clone(p.Ops)
	for _, h := range herds {
		for k, i := range h.ops {
			q.Ops[i].Delay += int64(k) * h.Every / int64(h.Timers)
		}
	}
	return &q
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

// HerdWords returns a sentence about the herds of p: the largest, and by how much the costliest tick falls if all herds
// are spread over their periods. It says that of the lane with the costliest tick, which it runs twice, and of the ticks
// from the first one in which a herd fires. It returns none if there is no herd or spreading gains less than a
// half. rows are the results of the lanes of p.
func HerdWords(ctx context.Context, p *program.Program, rows []engine.LaneResult) ([]texts.Message, error) {
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
	from := p.Until
	for _, h := range herds {
		o := &p.Ops[h.ops[0]]
		from = min(from, o.At+o.Delay)
	}
	before, err := worstTick(ctx, q, from)
	if err != nil {
		return nil, err
	}
	after, err := worstTick(ctx, spread(q, herds), from)
	if err != nil || 2*after > before {
		return nil, err
	}
	tick, err := scenario.ParseTick(p.Scenario.Tick)
	if err != nil {
		return nil, err
	}
	period := time.Duration(herds[0].Every) * time.Duration(tick)
	words := texts.Of("verdict.herd", "n", texts.Count(int64(herds[0].Timers)), "period", period.String(), "lane", rows[worst].Lane,
		"worst", texts.Count(before), "least", texts.Count(after))
	return []texts.Message{words}, nil
}
