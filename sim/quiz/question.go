package quiz

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// Question is a query with options to choose from, asked at a certain tick.
type Question struct {
	Query
	ID      string           // set by Predict to recognize the same question when it is asked again; "" otherwise
	At      int64            // the question is asked at the end of this tick, or in the initial state if it is -1
	Op      *program.Planned // operation that schedules the timer; only set for KindSlot
	Options []string         // values to choose from: numbers, ids of lanes, or places as "level:slot"
}

// optionsMax is the maximum number of options.
const optionsMax = 4

// Offer returns question q with options: the right answer, and wrong answers that result from
// common mistakes. Some of the wrong answers are chosen pseudo-randomly, using seed. The question
// is asked at the end of tick *q.Tick or, if q.Tick is nil, at the end of tick. The options depend
// only on the arguments and the run.
func (a *Quiz) Offer(ctx context.Context, q Query, tick int64, seed uint64) (*Question, error) {
	right, err := a.Answer(ctx, q, tick)
	if err != nil {
		return nil, err
	}
	out := &Question{Query: q, At: tick}
	if q.Tick != nil {
		out.At = *q.Tick
	}
	out.Query.at = out.At
	random := rand.New(rand.NewPCG(seed, 1))
	switch q.Kind {
	case KindSlot:
		if out.Op, err = a.nextSchedule(out.Query); err != nil {
			return nil, err
		}
		out.Options, err = a.offerPlaces(ctx, out, right.Value, random)
	case KindCheapest, KindCostliest, KindLowestWorst, KindHighestWorst, KindNextCostliest:
		out.Options = a.offerLanes(right.Value)
	case KindWhen:
		out.Options, err = a.offerTicks(ctx, out, right.Value, random)
	default:
		out.Options = offerNumbers(right.Value, random)
	}
	return out, err
}

// offerLanes returns the IDs of at most optionsMax lanes, in file order. They include right, the ID
// that is the correct answer.
func (a *Quiz) offerLanes(right string) []string {
	var ids []string
	for _, l := range a.Run.Program().Scenario.Lanes {
		ids = append(ids, l.ID)
	}
	if len(ids) > optionsMax {
		at := slices.Index(ids, right)
		ids = append(ids[:optionsMax-1], ids[max(at, optionsMax-1)])
	}
	return ids
}

// offerTicks returns the correct answer, right, which is a tick or AnswerNever, and ticks that
// result from common mistakes: the unrounded due tick, a tick one revolution earlier or later, or a
// neighbouring tick.
func (a *Quiz) offerTicks(ctx context.Context, q *Question, right string, random *rand.Rand) ([]string, error) {
	facts, err := a.timerFacts(ctx, q)
	if err != nil {
		return nil, err
	}
	from := max(facts.due, q.At+1) // a timer that is overdue can only fire after the question
	if n, err := strconv.ParseInt(right, 10, 64); err == nil {
		from = n
	}
	likely := []int64{from, facts.due}
	if facts.turn > 0 {
		likely = append(likely, from+facts.turn, from-facts.turn)
	}
	others := []int64{from - 1, from + 1, from + 2, from - 2, from + 3, from + 5}
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	var ticks []int64
	for _, v := range append(likely, others...) {
		if v > q.At && !slices.Contains(ticks, v) && len(ticks) < optionsMax {
			ticks = append(ticks, v)
		}
	}
	if right == AnswerNever {
		ticks = ticks[:min(len(ticks), optionsMax-1)]
	}
	slices.Sort(ticks)
	out := decimals(ticks)
	if right == AnswerNever {
		out = append(out, right)
	}
	return out, nil
}

// decimals formats the numbers in decimal, for use as options.
func decimals(numbers []int64) []string {
	var out []string
	for _, v := range numbers {
		out = append(out, strconv.FormatInt(v, 10))
	}
	return out
}

// layout returns the levels with slots that a lane has in the initial state of the run.
func (a *Quiz) layout(lane int) []wheel.Level {
	return ringsOf(a.Run.Start().Lanes[lane].Wheel.Layout().Levels)
}

// ringsOf returns the given levels that have slots, omitting heaps and lists beside a wheel.
func ringsOf(levels []wheel.Level) []wheel.Level {
	var rings []wheel.Level
	for _, l := range levels {
		if l.Level >= 0 && l.Slots > 0 {
			rings = append(rings, l)
		}
	}
	return rings
}

// offerNumbers returns the correct answer, right, and numbers near it: at most optionsMax in all, in
// ascending order.
func offerNumbers(right string, random *rand.Rand) []string {
	n, err := strconv.ParseInt(right, 10, 64)
	if err != nil {
		return []string{right}
	}
	numbers, slips := []int64{n}, []int64{-1, 1, 2, -2, 3}
	random.Shuffle(len(slips), func(i, j int) { slips[i], slips[j] = slips[j], slips[i] })
	scale := max(1, n/10) // neighbours of a large number are too similar
	for _, slip := range slips {
		if v := n + slip*scale; v >= 0 && !slices.Contains(numbers, v) && len(numbers) < optionsMax {
			numbers = append(numbers, v)
		}
	}
	slices.Sort(numbers)
	return decimals(numbers)
}

// offerPlaces returns at most optionsMax options: right, the correct answer, which is a place, AnswerReject or
// AnswerAtOnce, and wrong answers. A wrong answer is AnswerReject or a place that results from a common mistake:
// the delay is used instead of the due tick, the slot is off by one or two, or the level is wrong.
func (a *Quiz) offerPlaces(ctx context.Context, q *Question, right string, random *rand.Rand) ([]string, error) {
	lane, err := a.lane(q.Lane)
	if err != nil {
		return nil, err
	}
	snap, err := a.stateAt(ctx, q.At, 0)
	if err != nil {
		return nil, err
	}
	rings := ringsOf(snap.Lanes[lane].Levels)
	if len(rings) == 0 {
		return nil, ErrNoAnswer
	}
	var likely, others []string
	due := a.Run.Program().Start + q.Op.At + q.Op.Delay
	for _, l := range rings {
		n := int64(l.Slots)
		for _, v := range []int64{due / l.Width, q.Op.Delay / l.Width, (q.Op.Delay - 1) / l.Width} {
			likely = append(likely, place(l.Level, v, n))
		}
		for _, d := range []int64{1, -1, 2} {
			others = append(others, place(l.Level, due/l.Width+d, n))
		}
	}
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	options := []string{right}
	for _, v := range slices.Concat(likely, []string{AnswerReject}, others) {
		if !slices.Contains(options, v) && len(options) < optionsMax {
			options = append(options, v)
		}
	}
	slices.SortFunc(options, comparePlaces)
	return options, nil
}

// place returns the option for slot v mod n of a level with n slots, in the form "level:slot". v may
// be negative.
func place(level int, v, n int64) string {
	return placeValue(int8(level), uint32(((v%n)+n)%n))
}

// comparePlaces orders options by level, then by slot. Options that are not places come last.
func comparePlaces(a, b string) int {
	pair := func(s string) [2]int64 {
		level, slot, ok := strings.Cut(s, ":")
		l, errL := strconv.ParseInt(level, 10, 64)
		n, errN := strconv.ParseInt(slot, 10, 64)
		if !ok || errL != nil || errN != nil {
			return [2]int64{math.MaxInt64, 0}
		}
		return [2]int64{l, n}
	}
	x, y := pair(a), pair(b)
	return slices.Compare(x[:], y[:])
}
