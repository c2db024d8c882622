package quiz

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

// placesAsked is the maximum number of lanes in which one question asks for the place of a timer.
const placesAsked = 3

// Position is a position in the run: after event Seq or, if Seq is 0, at the end of Tick. Tick is −1 before the
// first event.
type Position struct {
	Tick, Seq int64
}

// Asked is a question with its answer, and the positions at which a page shows both.
type Asked struct {
	*Question
	From    Position // position at which the question is asked; no event up to it shows the answer
	See     Position // position that shows the answer
	Targets []Target // a target for each lane that the page shows with the question
	Choice           // the answer of a question without places; its options are those of the question
}

// Target is a lane of a question. Its Choice is set if the question asks for the place of a timer in this lane.
type Target struct {
	Lane string
	Choice
}

// Choice is the right answer, the options, and why the other options are wrong; see [Quiz.Reasons].
type Choice struct {
	Options []string
	Answer  Answer
	Reasons []texts.Message
}

// Ask returns q with options, answer and reasons. The arguments are those of [Quiz.Offer]. A question of KindSlot is
// asked in those of the given lanes that do not put the timer beside the wheel, or in the lane of q if none is given.
// The options are those given or, if there are none, those that Offer returns.
func (a *Quiz) Ask(ctx context.Context, q Query, tick int64, seed uint64, lanes, options []string) (*Asked, error) {
	if q.Kind != KindSlot {
		return a.askChoice(ctx, q, tick, seed, options)
	}
	given := len(lanes) > 0
	if !given {
		lanes = []string{q.Lane}
	}
	out := &Asked{}
	for _, lane := range lanes {
		q.Lane = lane
		question, choice, err := a.choice(ctx, q, tick, seed, options)
		if given && (errors.Is(err, ErrNoAnswer) || err == nil && choice.Answer.Event.ToLevel < 0 && choice.Answer.Event.Kind == wheel.KindPlace) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if out.Question == nil {
			out.Question = question
			out.See = Position{choice.Answer.See, choice.Answer.Seq}
		}
		out.Targets = append(out.Targets, Target{lane, choice})
	}
	if len(out.Targets) == 0 {
		return nil, ErrNoAnswer
	}
	from, err := a.beforeSchedule(ctx, out.Question)
	out.From = from
	return out, err
}

// askChoice returns a question of another kind than KindSlot.
func (a *Quiz) askChoice(ctx context.Context, q Query, tick int64, seed uint64, options []string) (*Asked, error) {
	question, choice, err := a.choice(ctx, q, tick, seed, options)
	if err != nil {
		return nil, err
	}
	out := &Asked{Question: question, From: Position{Tick: tick}, See: Position{choice.Answer.See, choice.Answer.Seq}, Choice: choice}
	lanes := []string{q.Lane}
	if _, whole := laneExtremes[q.Kind]; whole || q.Kind == KindNextCostliest {
		lanes = question.Options
	}
	for _, lane := range lanes {
		out.Targets = append(out.Targets, Target{Lane: lane})
	}
	return out, nil
}

// choice returns a question about one lane, and its choice.
func (a *Quiz) choice(ctx context.Context, q Query, tick int64, seed uint64, options []string) (*Question, Choice, error) {
	question, err := a.Offer(ctx, q, tick, seed)
	if err != nil {
		return nil, Choice{}, err
	}
	if len(options) > 0 {
		question.Options = options
	}
	right, err := a.Answer(ctx, q, tick)
	if err != nil {
		return nil, Choice{}, err
	}
	reasons, err := a.Reasons(ctx, question, &right)
	return question, Choice{question.Options, right, reasons}, err
}

// beforeSchedule returns the last position before any lane schedules the timer of q.
func (a *Quiz) beforeSchedule(ctx context.Context, q *Question) (Position, error) {
	recs, from, err := a.events(ctx, q.Op.At-1, q.Op.At)
	if err != nil {
		return Position{}, err
	}
	for i := range recs {
		if recs[i].ID == q.Op.ID && recs[i].Kind == wheel.KindSchedule {
			if i > 0 {
				return Position{q.Op.At, from + int64(i)}, nil
			}
			break
		}
	}
	return Position{Tick: q.Op.At - 1}, nil
}

// lanesFor returns the lanes with slots in which a question asks for a place: at most placesAsked neighbours, the
// first of which is chosen by random.
func (a *Quiz) lanesFor(random *rand.Rand) []string {
	var ids []string
	for i, l := range a.Run.Program().Scenario.Lanes {
		if len(a.layout(i)) > 0 {
			ids = append(ids, l.ID)
		}
	}
	if len(ids) <= placesAsked {
		return ids
	}
	first := random.IntN(len(ids) - placesAsked + 1)
	return slices.Clone(ids[first : first+placesAsked])
}
