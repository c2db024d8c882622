package quiz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Limits on the search for a question.
const (
	predictTries  = 24   // maximum number of questions that Predict tries to answer before it gives up
	predictOps    = 8    // maximum number of upcoming operations that questions ask about
	predictShown  = 4    // maximum number of timers per place that questions ask about
	predictPlaces = 4096 // maximum number of places per lane from which Predict selects timers
)

// Predict returns a question about what the run does after tick. It chooses the question by seed,
// which should differ between students, and n, the number of the question. It skips questions whose
// IDs are in seen, and prefers kinds of questions that are rare in seen. The question depends only on
// the run and the arguments. Predict returns ErrNoAnswer if there is nothing to ask.
func (a *Quiz) Predict(ctx context.Context, tick int64, seed uint64, n int, seen []string) (*Asked, error) {
	if tick < -1 || tick > a.Run.Program().Until {
		return nil, ErrNoAnswer
	}
	snap, err := a.stateAt(ctx, tick, predictShown)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, a.stream(tick, n)))
	queries := a.queries(snap, tick)
	tries := 0
	for _, kind := range kindsByUse(queries, seen, random) {
		of := queries[kind]
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		for _, q := range of {
			if slices.Contains(seen, a.questionID(q, tick)) {
				continue
			}
			if tries++; tries > predictTries {
				return nil, ErrNoAnswer
			}
			out, err := a.Ask(ctx, q, tick, random.Uint64(), a.lanesFor(random), nil)
			if errors.Is(err, ErrNoAnswer) {
				continue
			}
			if err == nil {
				out.ID = a.questionID(q, tick)
			}
			return out, err
		}
	}
	return nil, ErrNoAnswer
}

// kindsByUse returns the kinds that are keys of queries, ordered by how often they occur in seen, which lists
// IDs of questions. The least frequent kinds come first. Kinds with the same frequency are in
// random order.
func kindsByUse(queries map[Kind][]Query, seen []string, random *rand.Rand) []Kind {
	used, kinds := map[Kind]int{}, make([]Kind, 0, len(queries))
	for _, id := range seen {
		kind, _, _ := strings.Cut(id, "-")
		used[Kind(kind)]++
	}
	for kind := range queries {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	slices.SortStableFunc(kinds, func(a, b Kind) int { return cmp.Compare(used[a], used[b]) })
	return kinds
}

// questionID returns the ID of question q, asked at the end of tick: the kind of the question, and a
// hash of what it asks. The hash does not depend on tick if q asks for the place into which a timer
// will be put or for the tick at which a timer fires, so that Predict does not ask the same
// question again at another tick.
func (a *Quiz) questionID(q Query, tick int64) string {
	if q.Kind == KindSlot || q.Kind == KindWhen {
		tick = 0
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%s/%s/%d/%s/%d", a.Run.Digest(), q.Lane, q.id, q.Timer, tick)
	return fmt.Sprintf("%s-%08x", q.Kind, h.Sum32())
}

// stream returns the second seed of the random number generator that chooses question number n at
// tick. The first seed is the argument seed of Predict.
func (a *Quiz) stream(tick int64, n int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(a.Run.Digest()))
	h.Write([]byte("/" + strconv.FormatInt(tick, 10) + "/" + strconv.Itoa(n)))
	return h.Sum64()
}

// queries returns the questions that can be asked at the end of tick, by kind. snap is the state at
// the end of tick.
func (a *Quiz) queries(snap *engine.Snapshot, tick int64) map[Kind][]Query {
	queries := map[Kind][]Query{}
	add := func(q Query) { queries[q.Kind] = append(queries[q.Kind], q) }
	next, after, ends := a.nextSchedules(tick), tick+1, tick >= a.Run.Program().Until
	quiet := !a.operatesAt(after) // otherwise a reader can't know what the tick does
	slotted := false
	for i := range snap.Lanes {
		lane := a.Run.Program().Scenario.Lanes[i].ID
		slotted = slotted || len(a.layout(i)) > 0
		if ends || snap.Lanes[i].Live == 0 {
			continue
		}
		add(Query{Kind: KindFires, Lane: lane})
		if quiet {
			add(Query{Kind: KindCost, Lane: lane})
			add(Query{Kind: KindLive, Lane: lane, Tick: &after})
		}
		if coarse(snap.Lanes[i].Places) {
			add(Query{Kind: KindMoves, Lane: lane})
		}
		a.timerQueries(lane, snap.Lanes[i].Places, add)
	}
	for _, op := range next {
		if slotted {
			add(Query{Kind: KindSlot, Timer: a.Run.Program().Name(op.ID), id: op.ID})
		}
	}
	if !ends && quiet && len(snap.Lanes) > 1 {
		add(Query{Kind: KindNextCostliest})
	}
	return queries
}

// operatesAt reports whether the workload has an operation at tick.
func (a *Quiz) operatesAt(tick int64) bool {
	_, found := slices.BinarySearchFunc(a.Run.Program().Ops, tick, func(op program.Planned, at int64) int { return cmp.Compare(op.At, at) })
	return found
}

// timerQueries calls add for each question that can be asked about a single timer of a lane: when it
// fires and how many rounds it has left. lane is the ID of the lane, and places contains its timers.
func (a *Quiz) timerQueries(lane string, places []wheel.Place, add func(Query)) {
	for _, place := range places[:min(len(places), predictPlaces)] {
		for _, e := range place.Entries {
			if e.Marked {
				continue
			}
			name := a.Run.Program().Name(e.ID)
			add(Query{Kind: KindWhen, Lane: lane, Timer: name, id: e.ID})
			if e.Rounds != wheel.NoRounds {
				add(Query{Kind: KindRounds, Lane: lane, Timer: name, id: e.ID})
			}
		}
	}
}

// coarse reports whether places contains a timer above the finest level, which may therefore cascade.
func coarse(places []wheel.Place) bool {
	return slices.ContainsFunc(places, func(p wheel.Place) bool { return p.Level > 0 })
}

// nextSchedules returns the first operations after tick that schedule a timer, at most predictOps.
func (a *Quiz) nextSchedules(tick int64) []*program.Planned {
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

// Part is a part of the pictures that would show the answer to a question. The page hides it until the question is
// answered, with everything but the pictures.
type Part string

const (
	PartDue    Part = "due"    // the due ticks of timers
	PartRounds Part = "rounds" // the remaining rounds of timers
)

// Hides returns the parts of the pictures that would show the answer to a question of kind k.
func (k Kind) Hides() []Part {
	switch k {
	case KindWhen, KindFires, KindMoves, KindLive:
		return []Part{PartDue}
	case KindRounds:
		return []Part{PartRounds}
	}
	return []Part{}
}
