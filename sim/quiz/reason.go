package quiz

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// Reasons returns an explanation of each option of q, with numbers from the run: why the option is wrong. It is
// the zero Message for the right option, and for every option if computing it fails with ErrNoAnswer, for example
// because more than answerEventsMax events would have to be read. right is the correct answer to q.
func (a *Quiz) Reasons(ctx context.Context, q *Question, right *Answer) ([]texts.Message, error) {
	list := make([]texts.Message, len(q.Options))
	explain, err := a.explainer(ctx, q, right)
	if errors.Is(err, ErrNoAnswer) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	for i, option := range q.Options {
		if option != right.Value {
			list[i] = explain(option)
		}
	}
	return list, nil
}

// explainer returns a function that explains why an option of q is right or wrong. The facts that the
// explanations need are read from the run by explainer itself, not by the returned function.
func (a *Quiz) explainer(ctx context.Context, q *Question, right *Answer) (func(option string) texts.Message, error) {
	switch q.Kind {
	case KindSlot:
		return a.explainPlaces(ctx, q, right)
	case KindRounds, KindWhen:
		return a.explainTimer(ctx, q, right)
	case KindMoves, KindFires, KindCost, KindLive:
		return a.explainTick(ctx, q, right)
	case KindNextCostliest:
		costs, err := a.costsAfter(ctx, q.At)
		if err != nil {
			return nil, err
		}
		return a.explainLanes(right, func(lane int) int64 { return costs[lane] }), nil
	}
	return a.explainRun(ctx, q, right)
}

// ticks formats n ticks for use in a sentence: as a duration if a base tick of the scenario is 1 ns,
// 1 µs, 1 ms or 1 s, and as a number of ticks otherwise.
func (a *Quiz) ticks(n int64) any {
	switch d, _ := time.ParseDuration(a.Run.Program().Scenario.Tick); d {
	case time.Nanosecond:
		return texts.Count(n).String() + " ns"
	case time.Microsecond:
		return texts.Count(n).String() + " µs"
	case time.Millisecond:
		return texts.Count(n).String() + " ms"
	case time.Second:
		return texts.Count(n).String() + " s"
	}
	return texts.Of("quiz.ticks", "n", texts.Count(n))
}

// timerFacts describes the timer of a question at the end of the tick at which the question is asked.
type timerFacts struct {
	due   int64  // due tick, relative to the scenario's start
	turn  int64  // number of ticks in a revolution of the finest level; 0 if the lane has no level with slots
	place string // place of the timer, in the form "level:slot"; "" if it is not in the lane
}

// timerFacts returns the facts about the timer of q. If the timer is not in the lane, the due field of
// the result is the due tick that the timer will have when it is next scheduled.
func (a *Quiz) timerFacts(ctx context.Context, q *Question) (timerFacts, error) {
	lane, err := a.lane(q.Lane)
	if err != nil {
		return timerFacts{}, err
	}
	var f timerFacts
	if rings := a.layout(lane); len(rings) > 0 {
		f.turn = int64(rings[0].Slots) * rings[0].Width
	}
	place, entry, err := a.find(ctx, q.Query, q.At, lane)
	if err != nil {
		return f, err
	}
	if entry != nil {
		f.due, f.place = entry.Due-a.Run.Program().Start, placeValue(place.Level, place.Slot)
		return f, nil
	}
	op, err := a.nextSchedule(q.Query)
	if err == nil {
		f.due = op.At + op.Delay
	}
	return f, err
}

// explainTimer returns a function that explains the options of a question about when a timer fires or how
// many rounds it has left.
func (a *Quiz) explainTimer(ctx context.Context, q *Question, right *Answer) (func(string) texts.Message, error) {
	f, err := a.timerFacts(ctx, q)
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(right.Value, 10, 64)
	if err != nil { // the timer never fires
		end, err := a.endOf(ctx, q)
		if err != nil {
			return nil, err
		}
		return func(option string) texts.Message {
			return texts.Of("quiz.why.never", "value", option, "timer", q.Timer, "due", f.due, "end", end)
		}, nil
	}
	return func(option string) texts.Message {
		v, err := strconv.ParseInt(option, 10, 64)
		switch {
		case err != nil:
			return texts.Of("quiz.why.when.fires", "timer", q.Timer, "right", n, "due", f.due)
		case q.Kind == KindRounds:
			return texts.Of("quiz.why.rounds", "value", v, "turn", a.ticks(f.turn), "shift", a.ticks(abs(v-n)*f.turn),
				"side", side(v-n), "due", f.due, "right", n)
		case v == f.due:
			return texts.Of("quiz.why.when.due", "value", v, "late", a.ticks(abs(n-v)), "side", side(n-v), "right", n)
		case f.turn > 0 && abs(v-n) == f.turn:
			return texts.Of("quiz.why.when.turn", "value", v, "turn", a.ticks(f.turn), "side", side(v-n), "right", n, "due", f.due)
		}
		return texts.Of("quiz.why.when.other", "value", v, "away", a.ticks(abs(v-n)), "side", side(v-n), "due", f.due)
	}, nil
}

// side returns the word for the sign of d, a difference in ticks: "later" if d is positive, and
// "earlier" otherwise.
func side(d int64) texts.Message {
	if d > 0 {
		return texts.Of("quiz.side.later")
	}
	return texts.Of("quiz.side.earlier")
}

func abs(n int64) int64 { return max(n, -n) }

// endOf returns the reason why the timer of q does not fire after the question is asked: it is
// cancelled, rejected or still pending at the end of the run.
func (a *Quiz) endOf(ctx context.Context, q *Question) (texts.Message, error) {
	until := a.Run.Program().Until
	recs, _, err := a.events(ctx, q.At, until)
	if err != nil {
		return texts.Message{}, err
	}
	lane, err := a.lane(q.Lane)
	if err != nil {
		return texts.Message{}, err
	}
	for i := range recs {
		r := &recs[i]
		if int(r.Lane) != lane || !a.asksAbout(q.Query, r.ID) {
			continue
		}
		switch r.Kind {
		case wheel.KindCancel, wheel.KindMark:
			return texts.Of("quiz.end.cancelled", "tick", r.Tick), nil
		case wheel.KindReject:
			return texts.Of("quiz.end.rejected", "tick", r.Tick), nil
		}
	}
	return texts.Of("quiz.end.pending", "tick", until), nil
}

// tickFacts describes one tick of a lane: the number of timers pending at the end of the previous
// tick, and the number of events of each kind in the tick. moved counts the timers moved between places.
type tickFacts struct {
	pending                            int64
	scheduled, fired, moved, cancelled int64
	rejected                           int64
}

// explainTick returns a function that explains the options of a question about the cost of a tick, about the number
// of timers that move or fire in it, or about the number of timers pending after it.
func (a *Quiz) explainTick(ctx context.Context, q *Question, right *Answer) (func(string) texts.Message, error) {
	lane, err := a.lane(q.Lane)
	if err != nil {
		return nil, err
	}
	tick := q.At + 1
	if q.Kind == KindLive {
		tick = q.At
	}
	f, err := a.tickFacts(ctx, lane, tick)
	if err != nil {
		return nil, err
	}
	n, _ := strconv.ParseInt(right.Value, 10, 64)
	key := "quiz.why." + string(q.Kind)
	return func(option string) texts.Message {
		v, _ := strconv.ParseInt(option, 10, 64)
		return texts.Of(key, "value", texts.Count(v), "off", texts.Count(abs(v-n)), "more", more(v-n), "right", texts.Count(n), "tick", tick,
			"before", texts.Count(f.pending), "scheduled", texts.Count(f.scheduled), "fired", texts.Count(f.fired),
			"moved", texts.Count(f.moved), "cancelled", texts.Count(f.cancelled), "rejected", texts.Count(f.rejected))
	}, nil
}

// more returns the phrase for the sign of d, an option minus the correct number: "too many" if d is
// positive, and "too few" otherwise.
func more(d int64) texts.Message {
	if d > 0 {
		return texts.Of("quiz.more")
	}
	return texts.Of("quiz.less")
}

// tickFacts returns the facts about one tick of a lane.
func (a *Quiz) tickFacts(ctx context.Context, lane int, tick int64) (f tickFacts, err error) {
	snap, err := a.stateAt(ctx, tick-1, 0)
	if err != nil {
		return f, err
	}
	f.pending = int64(snap.Lanes[lane].Live)
	recs, _, err := a.events(ctx, tick-1, tick)
	for i := range recs {
		if int(recs[i].Lane) != lane {
			continue
		}
		switch recs[i].Kind {
		case wheel.KindSchedule:
			f.scheduled++
		case wheel.KindExpire:
			f.fired++
		case wheel.KindCascade, wheel.KindMove:
			f.moved++
		case wheel.KindCancel, wheel.KindMark:
			f.cancelled++
		case wheel.KindReject:
			f.rejected++
		}
	}
	return f, err
}

// explainLanes returns a function that explains the options of a question whose answer is a lane. right is
// the correct answer. figure returns the number by which lanes are compared, given the index of a lane.
func (a *Quiz) explainLanes(right *Answer, figure func(lane int) int64) func(string) texts.Message {
	best, _ := a.lane(right.Value) // the answer is a lane
	return func(option string) texts.Message {
		lane, _ := a.lane(option) // and so are the options
		return texts.Of("quiz.why.lane", "lane", option, "value", texts.Count(figure(lane)), "best", right.Value, "right", texts.Count(figure(best)))
	}
}

// explainRun returns a function that explains the options of a question about the whole run. An option is
// the ID of a lane or a number.
func (a *Quiz) explainRun(ctx context.Context, q *Question, right *Answer) (func(string) texts.Message, error) {
	rows, err := a.results(ctx)
	if err != nil {
		return nil, err
	}
	if extreme, ok := laneExtremes[q.Kind]; ok {
		return a.explainLanes(right, func(lane int) int64 { return extreme.figure(&rows[lane]) }), nil
	}
	if laneFigures[q.Kind] == nil {
		return nil, fmt.Errorf("kind: %q is not a kind of question", q.Kind)
	}
	n, _ := strconv.ParseInt(right.Value, 10, 64)
	return func(option string) texts.Message {
		v, _ := strconv.ParseInt(option, 10, 64)
		return texts.Of("quiz.why.run", "value", texts.Count(v), "off", texts.Count(abs(v-n)), "more", more(v-n), "right", texts.Count(n), "lane", q.Lane)
	}, nil
}

// splitPlace returns the level and the slot in value if it has the form "level:slot". Otherwise ok
// is false.
func splitPlace(value string) (level, slot int64, ok bool) {
	l, s, _ := strings.Cut(value, ":")
	level, errL := strconv.ParseInt(l, 10, 64)
	slot, errS := strconv.ParseInt(s, 10, 64)
	return level, slot, errL == nil && errS == nil
}
