package quiz

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Bounds of the search for a question.
const (
	predictTries  = 24   // questions drawn until one has an answer
	predictOps    = 8    // next operations that are asked about
	predictShown  = 4    // timers of each place that are asked about
	predictPlaces = 4096 // places of each lane whose timers are asked about
)

// Predict returns question n for a student, whose seed is given, about what the run does next. It
// depends only on run, tick, seed and n, so that an answer can be graded by making the question
// again. It returns ErrNoAnswer if there is nothing to ask at that tick.
func (a *Asker) Predict(ctx context.Context, tick int64, seed uint64, n int) (*Question, error) {
	if tick < -1 || tick > a.Run.Prog.Until {
		return nil, ErrNoAnswer
	}
	snap, err := a.stand(ctx, tick, predictShown)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, a.stream(tick, n)))
	asks := a.asks(snap, tick)
	kinds := make([]AskKind, 0, len(asks))
	for kind := range asks {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for range predictTries {
		if len(kinds) == 0 {
			break
		}
		of := asks[kinds[random.IntN(len(kinds))]]
		q, err := a.Offer(ctx, of[random.IntN(len(of))], tick, random.Uint64())
		if errors.Is(err, ErrNoAnswer) {
			continue
		}
		return q, err
	}
	return nil, ErrNoAnswer
}

// stream returns the number of the random stream for question n at a tick.
func (a *Asker) stream(tick int64, n int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(a.Run.Digest()))
	h.Write([]byte("/" + strconv.FormatInt(tick, 10) + "/" + strconv.Itoa(n)))
	return h.Sum64()
}

// asks returns the questions that are possible in a state, by kind.
func (a *Asker) asks(snap *engine.Snapshot, tick int64) map[AskKind][]Ask {
	asks := map[AskKind][]Ask{}
	add := func(q Ask) { asks[q.Kind] = append(asks[q.Kind], q) }
	next := a.nextArmings(tick)
	for i := range snap.Lanes {
		lane := a.Run.Prog.Scenario.Lanes[i].ID
		rings := a.layout(i)
		for _, op := range next {
			if len(rings) > 0 {
				add(Ask{Kind: AskSlot, Lane: lane, Timer: a.Run.Prog.Name(op.ID), id: op.ID})
			}
		}
		if tick >= a.Run.Prog.Until || snap.Lanes[i].Live == 0 {
			continue
		}
		add(Ask{Kind: AskCost, Lane: lane})
		add(Ask{Kind: AskFires, Lane: lane})
		if coarse(snap.Lanes[i].Places) {
			add(Ask{Kind: AskMoves, Lane: lane})
		}
		for _, place := range snap.Lanes[i].Places[:min(len(snap.Lanes[i].Places), predictPlaces)] {
			for _, e := range place.Entries {
				if e.Marked {
					continue
				}
				name := a.Run.Prog.Name(e.ID)
				add(Ask{Kind: AskWhen, Lane: lane, Timer: name, id: e.ID})
				if e.Rounds != wheel.NoRounds {
					add(Ask{Kind: AskRounds, Lane: lane, Timer: name, id: e.ID})
				}
			}
		}
	}
	return asks
}

// coarse reports whether timers wait above the finest level, from where they cascade.
func coarse(places []wheel.Place) bool {
	return slices.ContainsFunc(places, func(p wheel.Place) bool { return p.Level > 0 })
}

// nextArmings returns the first predictOps operations after a tick that schedule a timer.
func (a *Asker) nextArmings(tick int64) []*program.Planned {
	ops := a.Run.Prog.Ops
	from, _ := slices.BinarySearchFunc(ops, tick+1, func(op program.Planned, at int64) int { return cmp.Compare(op.At, at) })
	var list []*program.Planned
	for i := from; i < len(ops) && len(list) < predictOps; i++ {
		if ops[i].ID != 0 {
			list = append(list, &ops[i])
		}
	}
	return list
}
