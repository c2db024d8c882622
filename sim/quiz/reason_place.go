package quiz

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// placeReasons explains the options of a question about the place of a timer.
type placeReasons struct {
	a          *Quiz
	q          *Question
	rings      []wheel.Level // levels of the lane that have slots
	due, delay int64         // due tick of the timer, relative to the scenario's start, and its delay in ticks
	right      string        // the right answer
}

func (a *Quiz) explainPlaces(ctx context.Context, q *Question, right *Answer) (func(string) texts.Message, error) {
	lane, err := a.lane(q.Lane)
	if err != nil {
		return nil, err
	}
	snap, err := a.stateAt(ctx, right.See, 0) // levels may have been added
	if err != nil {
		return nil, err
	}
	r := &placeReasons{a: a, q: q, rings: ringsOf(snap.Lanes[lane].Levels), due: q.Op.At + q.Op.Delay, delay: q.Op.Delay, right: right.Value}
	return r.explain, nil
}

// level returns level n of the lane. It returns false if the lane does not have that level.
func (r *placeReasons) level(n int64) (wheel.Level, bool) {
	k := slices.IndexFunc(r.rings, func(l wheel.Level) bool { return int64(l.Level) == n })
	if k < 0 {
		return wheel.Level{}, false
	}
	return r.rings[k], true
}

// explain returns the reason why option, a place or an answer such as AnswerReject, is not the right answer.
func (r *placeReasons) explain(option string) texts.Message {
	level, slot, isPlace := splitPlace(option)
	toLevel, toSlot, placed := splitPlace(r.right)
	at, has := r.level(level)
	to, known := r.level(toLevel)
	switch {
	case !placed && isPlace:
		return texts.Of("quiz.why.slot.nowhere", "level", level, "slot", slot, "delay", r.a.ticks(r.delay), "due", r.due,
			"reach", r.a.ticks(r.reach()), "fate", texts.Of("quiz.fate."+r.right))
	case !isPlace && placed:
		return texts.Of("quiz.why.slot.placed", "level", toLevel, "slot", toSlot, "delay", r.a.ticks(r.delay), "due", r.due)
	case !isPlace || !has || !known:
		return texts.Of("quiz.why.slot.other", "due", r.due, "delay", r.a.ticks(r.delay))
	case level == toLevel:
		return r.explainSlot(at, slot, toSlot)
	}
	return texts.Of("quiz.why.slot.level", "level", level, "slot", slot, "slots", at.Slots, "span", r.a.ticks(at.Width),
		"range", r.a.ticks(at.Width*int64(at.Slots)), "delay", r.a.ticks(r.delay), "to", toLevel, "tospan", r.a.ticks(to.Width))
}

// reach returns the range of the lane's coarsest level, in ticks.
func (r *placeReasons) reach() int64 {
	last := r.rings[len(r.rings)-1]
	return last.Width * int64(last.Slots)
}

// explainSlot returns the reason why slot is a wrong answer, while right is the correct one. Both are numbers
// of slots of level at.
func (r *placeReasons) explainSlot(at wheel.Level, slot, right int64) texts.Message {
	n := int64(at.Slots)
	if r.delay >= 0 && slot == r.delay/at.Width%n {
		return texts.Of("quiz.why.slot.delay", "slot", slot, "delay", r.a.ticks(r.delay), "span", r.a.ticks(at.Width), "slots", n, "due", r.due, "right", right)
	}
	away := ((slot-right)%n + n) % n
	d := away
	if away > n/2 {
		d = away - n
	}
	return texts.Of("quiz.why.slot.near", "slot", slot, "right", right, "n", texts.Count(abs(d)), "side", side(d),
		"span", r.a.ticks(at.Width), "shift", r.a.ticks(abs(d)*at.Width), "due", r.due)
}
