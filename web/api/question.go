package api

import (
	"context"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
)

// Question is a question of a quiz or a lecture as sent to the page, without the right answer.
type Question struct {
	Kind    quiz.Kind   `json:"kind"`
	Lane    string      `json:"lane"`           // ID of the lane, if questions of this Kind are about one
	Timer   string      `json:"timer"`          // name of the timer, if questions of this Kind are about one
	At      int64       `json:"at"`             // tick at the end of which the question is asked; -1 means before the first event
	Op      *askedOp    `json:"op,omitempty"`   // operation that the question is about, if its kind is "slot"
	Many    bool        `json:"many"`           // whether any number of options may be right; if false, exactly one is
	Options []string    `json:"options"`        // options to choose from; depending on Kind, they are lane IDs, timer names, numbers, places in the form "level:slot", or the words "reject", "now" and "never"
	Seed    string      `json:"seed,omitempty"` // seed from which the questions for one student are generated; "" in a lecture
	ID      string      `json:"id,omitempty"`   // ID of the question; equal questions have equal IDs
	Hides   []quiz.Part `json:"hides"`          // parts of the page to hide until the question is answered
}

// askedOp is the operation that a question is about: the tick at which a timer is scheduled, and the delay of the
// timer in ticks.
type askedOp struct {
	At    int64 `json:"at"`
	Delay int64 `json:"delay"`
}

// Grade is the result of grading: whether the picked options are right, and which options are right.
type Grade struct {
	Right  bool     `json:"right"`
	Answer []string `json:"answer"` // the right options
	See    int64    `json:"see"`    // tick at the end of which the answer can be seen
	// Reasons explains each option with numbers from the run. The explanation of a right option is "".
	Reasons []string `json:"reasons"`
}

// asked returns q in the form that is sent to the page, which lacks the right answer. Seed and ID are not set.
func asked(q *quiz.Question) *Question {
	out := &Question{Kind: q.Kind, Lane: q.Lane, Timer: q.Timer, At: q.At, Many: q.Many, Options: q.Options, Hides: q.Kind.Hides()}
	if q.Op != nil {
		out.Op = &askedOp{q.Op.At, q.Op.Delay}
	}
	return out
}

// grade compares the picked options with the right answer to q, which it obtains from a. picks contains the
// indexes of the options in q.Options, in decimal. The explanations are in the language lang.
func grade(ctx context.Context, picks []string, a *quiz.Quiz, q *quiz.Question, lang string) (*Grade, error) {
	var given []string
	for _, text := range picks {
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= len(q.Options) {
			return nil, texts.Errorf(texts.Invalid, "", "pick: %q is not one of the options 0 to %d", texts.Clip(text), len(q.Options)-1)
		}
		given = append(given, q.Options[k])
	}
	right, err := a.Answer(ctx, q.Query, q.At)
	if err != nil {
		return nil, err
	}
	reasons, err := a.Reasons(ctx, q, &right)
	if err != nil {
		return nil, err
	}
	out := &Grade{Right: right.Grade(given), Answer: right.Values, See: right.See, Reasons: make([]string, len(reasons))}
	for i, m := range reasons {
		if m.Key != "" {
			out.Reasons[i] = static.Messages(lang).Say(m)
		}
	}
	return out, nil
}
