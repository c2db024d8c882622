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
	predictTries  = 24   // maximum attempts to draw a question that has an answer
	predictOps    = 8    // number of next operations in questions
	predictShown  = 4    // timers of each place in questions
	predictPlaces = 4096 // places of each lane whose timers are in questions
)

// Predict returns question n about what the run does after tick, for the student with the given
// seed. The question only depends on the run and the arguments, so that an answer can be graded by
// making the question again. Predict returns ErrNoAnswer if there is nothing to ask.
func (a *Asker) Predict(ctx context.Context, tick int64, seed uint64, n int) (*Question, error) {
	if tick < -1 || tick > a.Run.Program().Until {
		return nil, ErrNoAnswer
	}
	snap, err := a.stateAt(ctx, tick, predictShown)
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

// stream returns the number of the random stream for question n at tick.
func (a *Asker) stream(tick int64, n int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(a.Run.Digest()))
	h.Write([]byte("/" + strconv.FormatInt(tick, 10) + "/" + strconv.Itoa(n)))
	return h.Sum64()
}

// asks returns the questions that are possible at the end of tick, where the state is snap, by kind.
func (a *Asker) asks(snap *engine.Snapshot, tick int64) map[AskKind][]Ask {
	asks := map[AskKind][]Ask{}
	add := func(q Ask) { asks[q.Kind] = append(asks[q.Kind], q) }
	next := a.nextArmings(tick)
	for i := range snap.Lanes {
		lane := a.Run.Program().Scenario.Lanes[i].ID
		rings := a.layout(i)
		for _, op := range next {
			if len(rings) > 0 {
				add(Ask{Kind: AskSlot, Lane: lane, Timer: a.Run.Program().Name(op.ID), id: op.ID})
			}
		}
		if tick >= a.Run.Program().Until || snap.Lanes[i].Live == 0 {
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
				name := a.Run.Program().Name(e.ID)
				add(Ask{Kind: AskWhen, Lane: lane, Timer: name, id: e.ID})
				if e.Rounds != wheel.NoRounds {
					add(Ask{Kind: AskRounds, Lane: lane, Timer: name, id: e.ID})
				}
			}
		}
	}
	return asks
}

// coarse reports whether timers are waiting above the finest level, so that they will cascade.
func coarse(places []wheel.Place) bool {
	return slices.ContainsFunc(places, func(p wheel.Place) bool { return p.Level > 0 })
}

// nextArmings returns the first operations after tick that schedule a timer, at most predictOps.
func (a *Asker) nextArmings(tick int64) []*program.Planned {
	ops := a.Run.Program().Ops
	from, _ := slices.BinarySearchFunc(ops, tick+1, func(op program.Planned, at int64) int { return cmp.Compare(op.At, at) })
	var list []*program.Planned
	for i := from; i < len(ops) && len(list) < predictOps; i++ {
		if ops[i].ID != 0 {
			list = append(list, &ops[i])
		}
	}
	return list
}
