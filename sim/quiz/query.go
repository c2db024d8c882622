package quiz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// Kind is a kind of question about a run. A question refers to the state of the run at the end of a
// tick, or to the initial state if the tick is -1. Its answer is computed from the run.
type Kind string

const (
	KindSlot         Kind = "slot"         // asks for the place into which the timer is put when it is next scheduled
	KindRounds       Kind = "rounds"       // asks for the number of rounds that the timer has left
	KindWhen         Kind = "when"         // asks for the tick at which the timer fires next
	KindMoves        Kind = "moves"        // asks for the number of timers that cascade in the next tick
	KindFires        Kind = "fires"        // asks for the number of timers that fire in the next tick
	KindCost         Kind = "cost"         // asks for the cost of the lane in the next tick
	KindLive         Kind = "live"         // asks for the number of timers pending in the lane at the end of the tick
	KindTotal        Kind = "total"        // asks for the cost of the lane over the whole run
	KindWorst        Kind = "worst"        // asks for the cost of the lane's costliest tick in the run
	KindWorstAt      Kind = "worstat"      // asks for the lane's costliest tick in the run, the first if there are several
	KindLate         Kind = "late"         // asks for the maximum lateness of the lane's timers in the run, in ticks
	KindEarly        Kind = "early"        // asks for the maximum number of ticks by which a timer of the lane fires early in the run
	KindRejected     Kind = "rejected"     // asks for the number of timers that the lane rejects in the run
	KindFired        Kind = "fired"        // asks for the number of times that timers of the lane fire in the run
	KindCheapest     Kind = "cheapest"     // asks for the lane with the lowest cost over the whole run
	KindCostliest    Kind = "costliest"    // asks for the lane with the highest cost over the whole run
	KindLowestWorst  Kind = "lowestworst"  // asks for the lane whose costliest tick costs least
	KindHighestWorst Kind = "highestworst" // asks for the lane whose costliest tick costs most

	KindNextCostliest Kind = "nextcostliest" // asks for the lane with the highest cost in the next tick
)

// Query is a question without options. Its kind determines which of the other fields are used.
type Query struct {
	Kind  Kind   `json:"kind"`
	Lane  string `json:"lane"`
	Timer string `json:"timer"`
	Tick  *int64 `json:"tick"` // tick that the question refers to; nil means the tick passed to Answer or Offer

	at int64  // tick that the question refers to, set by Answer and Offer: *Tick or, if Tick is nil, their tick argument
	id uint32 // ID of the timer; 0 if Timer identifies it
}

// Answer is the correct answer to a question. The value for a place has the form "level:slot".
type Answer struct {
	Value string
	See   int64          // tick at whose end the state of the run shows the answer
	Seq   int64          // number of the event that is the answer or the first of those counted; 0 if there is none
	Event *engine.Record // event Seq; nil if there is none
}

// Answer values other than numbers, places and names.
const (
	AnswerReject = "reject" // the answer if the timer is rejected
	AnswerAtOnce = "now"    // the answer if the timer fires immediately, without being put into a place
	AnswerNever  = "never"  // the answer if the timer does not fire
)

// answerEventsMax is the maximum number of events that are searched for an answer.
const answerEventsMax = 1 << 17

// ErrNoAnswer is returned by methods of Quiz, possibly wrapped, if the run contains no answer to a
// question, or if the answer is not found within the limits of the search.
var ErrNoAnswer = errors.New("sim: the run has no answer to that")

// Quiz generates questions about a run and computes their answers. Its methods may be called
// concurrently if Results may be called concurrently.
type Quiz struct {
	Run     *sim.Run
	Results func(context.Context) ([]engine.LaneResult, error) // returns the results of all lanes over the whole run; nil means that compare.Lanes is called
}

// Answer returns the answer to q. The question refers to the state of the run at the end of *q.Tick
// or, if q.Tick is nil, at the end of the argument tick. If the run has no answer, the error wraps
// ErrNoAnswer.
func (a *Quiz) Answer(ctx context.Context, q Query, tick int64) (Answer, error) {
	if q.at = tick; q.Tick != nil {
		q.at = *q.Tick
	}
	if q.at < -1 || q.at > a.Run.Program().Until {
		return Answer{}, texts.Errorf(texts.NotFound, "tick", "%d is not a tick of the scenario, which ends at %d", q.at, a.Run.Program().Until)
	}
	if a.wholeRun(q.Kind) {
		return a.ofRun(ctx, q)
	}
	if q.Kind == KindNextCostliest {
		return a.nextCostliest(ctx, q)
	}
	lane, err := a.lane(q.Lane)
	if err != nil {
		return Answer{}, err
	}
	switch q.Kind {
	case KindSlot:
		return a.slot(ctx, q, lane)
	case KindRounds:
		return a.rounds(ctx, q, lane)
	case KindWhen:
		return a.when(ctx, q, lane)
	case KindMoves:
		return a.nextTick(ctx, q, lane, wheel.KindCascade)
	case KindFires:
		return a.nextTick(ctx, q, lane, wheel.KindExpire)
	case KindCost:
		return a.cost(ctx, q, lane)
	case KindLive:
		snap, err := a.stateAt(ctx, q.at, 0)
		if err != nil {
			return Answer{}, err
		}
		return number(int64(snap.Lanes[lane].Live), max(q.at, 0)), nil
	}
	return Answer{}, texts.Errorf(texts.Invalid, "kind", "%q is not a kind of question", texts.Clip(string(q.Kind)))
}

func number(n, see int64) Answer { return Answer{Value: strconv.FormatInt(n, 10), See: see} }

// lane returns the index of the lane with the given ID, or an error if there is none.
func (a *Quiz) lane(id string) (int, error) {
	k := slices.IndexFunc(a.Run.Program().Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.ID == id })
	if k < 0 {
		return 0, texts.Errorf(texts.NotFound, "lane", "%q is not a lane of the scenario", texts.Clip(id))
	}
	return k, nil
}

// stateAt returns the state at the end of tick, or the initial state if tick is negative. The state
// lists at most limit timers per place.
func (a *Quiz) stateAt(ctx context.Context, tick int64, limit int) (*engine.Snapshot, error) {
	return a.Run.Seek(ctx, sim.EndOf(tick), limit)
}

// nextSchedule returns the first operation after tick q.at that schedules the timer of q. If there is
// none, the error wraps ErrNoAnswer.
func (a *Quiz) nextSchedule(q Query) (*program.Planned, error) {
	p := a.Run.Program()
	for i := range p.Ops {
		op := &p.Ops[i]
		if op.At <= q.at || op.ID == 0 {
			continue
		}
		if q.id == op.ID || q.id == 0 && p.Name(op.ID) == q.Timer {
			return op, nil
		}
	}
	return nil, fmt.Errorf("timer: %q is not scheduled after tick %d: %w", q.Timer, q.at, ErrNoAnswer)
}

// slot answers KindSlot: it returns the place into which the timer of q is put by the first
// operation after tick q.at that schedules it.
func (a *Quiz) slot(ctx context.Context, q Query, lane int) (Answer, error) {
	op, err := a.nextSchedule(q)
	if err != nil {
		return Answer{}, err
	}
	recs, from, err := a.events(ctx, op.At-1, op.At)
	if err != nil {
		return Answer{}, err
	}
	scheduled := false
	for i := range recs {
		r := &recs[i]
		if int(r.Lane) != lane || r.ID != op.ID {
			continue
		}
		out := Answer{See: op.At, Seq: from + 1 + int64(i), Event: r}
		switch {
		case r.Kind == wheel.KindSchedule:
			scheduled = true
		case !scheduled: // the end of the timer's previous run
		case r.Kind == wheel.KindPlace:
			out.Value = placeValue(r.ToLevel, r.ToSlot)
			return out, nil
		case r.Kind == wheel.KindReject:
			out.Value = AnswerReject
			return out, nil
		case r.Kind == wheel.KindExpire:
			out.Value = AnswerAtOnce
			return out, nil
		}
	}
	return Answer{}, ErrNoAnswer
}

func placeValue(level int8, slot uint32) string {
	return strconv.Itoa(int(level)) + ":" + strconv.FormatUint(uint64(slot), 10)
}

// events returns the records of the ticks in (after, to], and the number of the last event before them. It
// returns ErrNoAnswer if there are more than answerEventsMax records.
func (a *Quiz) events(ctx context.Context, after, to int64) ([]engine.Record, int64, error) {
	seq, err := a.Run.SeqAt(ctx, after)
	if err != nil {
		return nil, 0, err
	}
	end, err := a.Run.SeqAt(ctx, to)
	if err != nil {
		return nil, 0, err
	}
	recs, err := a.Run.Records(ctx, seq, end, answerEventsMax)
	if errors.Is(err, sim.ErrTooMany) {
		return nil, 0, ErrNoAnswer
	}
	return recs, seq, err
}

// rounds answers KindRounds: it returns the number of rounds that the timer of q has left in a lane
// at the end of tick q.at.
func (a *Quiz) rounds(ctx context.Context, q Query, lane int) (Answer, error) {
	_, entry, err := a.find(ctx, q, q.at, lane)
	if err != nil {
		return Answer{}, err
	}
	if entry != nil && entry.Rounds != wheel.NoRounds {
		return number(entry.Rounds, max(q.at, 0)), nil
	}
	return Answer{}, fmt.Errorf("timer: %q has no rounds there: %w", q.Timer, ErrNoAnswer)
}

// find returns the timer of q and its place in a lane at the end of tick. Both are nil if the lane
// does not contain the timer. find first searches the first predictShown timers of each place, which
// are the ones that Predict asks about, and then all timers.
func (a *Quiz) find(ctx context.Context, q Query, tick int64, lane int) (*wheel.Place, *wheel.Entry, error) {
	for _, limit := range [...]int{predictShown, wheel.AllEntries} {
		snap, err := a.stateAt(ctx, tick, limit)
		if err != nil {
			return nil, nil, err
		}
		whole := true
		for i := range snap.Lanes[lane].Places {
			place := &snap.Lanes[lane].Places[i]
			for k := range place.Entries {
				if a.asksAbout(q, place.Entries[k].ID) {
					return place, &place.Entries[k], nil
				}
			}
			whole = whole && len(place.Entries) == int(place.Count)
		}
		if whole {
			break
		}
	}
	return nil, nil, nil
}

// asksAbout reports whether q asks about the timer with the given ID. q asks about the timer q.id or,
// if q.id is 0, about all timers with the name q.Timer.
func (a *Quiz) asksAbout(q Query, id uint32) bool {
	return id != 0 && (id == q.id || q.id == 0 && a.Run.Program().Name(id) == q.Timer)
}

// when answers KindWhen: it returns the tick at which the timer of q fires next in a lane, or
// AnswerNever.
func (a *Quiz) when(ctx context.Context, q Query, lane int) (Answer, error) {
	until := a.Run.Program().Until
	recs, from, err := a.events(ctx, q.at, until)
	if err != nil {
		return Answer{}, err
	}
	known := false
	for i := range recs {
		r := &recs[i]
		if int(r.Lane) != lane || !a.asksAbout(q, r.ID) {
			continue
		}
		if known = true; r.Kind == wheel.KindExpire {
			out := number(r.Tick, r.Tick)
			out.Seq, out.Event = from+1+int64(i), r
			return out, nil
		}
	}
	if !known {
		return Answer{}, fmt.Errorf("timer: %q has no event after tick %d: %w", q.Timer, q.at, ErrNoAnswer)
	}
	return Answer{Value: AnswerNever, See: until}, nil
}

// nextTick answers KindMoves and KindFires: it returns the number of timers that have an event of the given kind
// in a lane in tick q.at+1.
func (a *Quiz) nextTick(ctx context.Context, q Query, lane int, kind wheel.Kind) (Answer, error) {
	if q.at >= a.Run.Program().Until {
		return Answer{}, ErrNoAnswer
	}
	recs, from, err := a.events(ctx, q.at, q.at+1)
	if err != nil {
		return Answer{}, err
	}
	out, ids := Answer{See: q.at + 1}, map[uint32]bool{}
	for i := range recs {
		if r := &recs[i]; int(r.Lane) == lane && r.Kind == kind {
			if out.Event == nil {
				out.Seq, out.Event = from+1+int64(i), r
			}
			ids[r.ID] = true
		}
	}
	out.Value = strconv.Itoa(len(ids))
	return out, nil
}

// cost answers KindCost: it returns the cost of a lane in tick q.at+1.
func (a *Quiz) cost(ctx context.Context, q Query, lane int) (Answer, error) {
	costs, err := a.costsAfter(ctx, q.at)
	if err != nil {
		return Answer{}, err
	}
	return number(costs[lane], q.at+1), nil
}

// costsAfter returns the cost of each lane in tick at+1, indexed by lane, or ErrNoAnswer if the run ends
// before that tick.
func (a *Quiz) costsAfter(ctx context.Context, at int64) ([]int64, error) {
	if at >= a.Run.Program().Until {
		return nil, ErrNoAnswer
	}
	lanes, err := compare.TickCosts(ctx, a.Run, at+1, at+1)
	if err != nil {
		return nil, err
	}
	costs := make([]int64, len(lanes))
	for i := range lanes {
		costs[i] = lanes[i][0]
	}
	return costs, nil
}

// nextCostliest answers KindNextCostliest: it returns the ID of the lane with the highest cost in
// tick q.at+1, or ErrNoAnswer if several lanes have that cost.
func (a *Quiz) nextCostliest(ctx context.Context, q Query) (Answer, error) {
	costs, err := a.costsAfter(ctx, q.at)
	if err != nil {
		return Answer{}, err
	}
	best := slices.Index(costs, slices.Max(costs))
	if slices.Contains(costs[best+1:], costs[best]) {
		return Answer{}, fmt.Errorf("lane: two lanes share the highest cost: %w", ErrNoAnswer)
	}
	return Answer{Value: a.Run.Program().Scenario.Lanes[best].ID, See: q.at + 1}, nil
}
