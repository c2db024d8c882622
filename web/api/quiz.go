package api

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// QuizPlace identifies a question of a quiz by a run, a tick, a number, and a seed, which differs from student to
// student.
type QuizPlace struct {
	questions *quiz.Quiz // generates and answers the questions about the run
	tick      int64      // tick at the end of which the question is asked; -1 means before the first event
	seed      string
	n         int      // number of the question, counting from 0
	seen      []string // IDs of recent questions, which are not asked again
}

// QuizPlace parses the query parameters that identify a question about run. t is the tick at the end of which the
// question is asked, or -1 to ask it before the first event. seed is the seed of the student. n is the number of the
// question, counting from 0. seen lists the IDs of recent questions, separated by commas.
func (a *Answers) QuizPlace(run *sim.Run, t, seed, n, seen string) (*QuizPlace, error) {
	q := &QuizPlace{questions: a.quiz(run), seed: seed}
	var err error
	if q.tick, err = strconv.ParseInt(t, 10, 64); err != nil {
		return nil, texts.Errorf(texts.Invalid, "", "t: %q is not a tick", texts.Clip(t))
	}
	if q.n, err = strconv.Atoi(n); err != nil || q.n < 0 || q.n > questionMax {
		return nil, texts.Errorf(texts.Invalid, "", "n: %q is not a number from 0 to %d", texts.Clip(n), questionMax)
	}
	if len(q.seed) > seedMax {
		return nil, texts.Errorf(texts.Invalid, "", "seed: %d bytes; at most %d", len(q.seed), seedMax)
	}
	if seen != "" {
		q.seen = strings.Split(seen, ",")
	}
	if len(q.seen) > SeenMax {
		return nil, texts.Errorf(texts.Invalid, "", "seen: %d questions; at most %d", len(q.seen), SeenMax)
	}
	return q, nil
}

// Ask returns the question that q identifies, with texts in the language lang. If there is nothing to ask, such as
// after the last event of the run, the question has no Kind.
func (q *QuizPlace) Ask(ctx context.Context, lang string) (*Question, error) {
	h := fnv.New64a()
	h.Write([]byte(q.seed))
	asked, err := q.questions.Predict(ctx, q.tick, h.Sum64(), q.n, q.seen)
	if errors.Is(err, quiz.ErrNoAnswer) {
		return &Question{At: q.tick, Hides: []quiz.Part{}, Targets: []Target{}}, nil // of no kind
	}
	if err != nil {
		return nil, askFault(err)
	}
	return questionOf(q.questions.Run.Program(), asked, lang), nil
}

// Question is a question of a quiz or a lecture with its answer. A page hides the answer until the reader has given one:
// scores are self-tests.
type Question struct {
	Kind    quiz.Kind   `json:"kind"`
	Timer   string      `json:"timer"`           // name of the timer, if questions of this Kind are about one
	About   uint32      `json:"about,omitempty"` // ID of the timer in the lanes that the question is about; 0 if there is none
	At      int64       `json:"at"`              // tick at the end of which the question is asked; -1 means before the first event
	Op      *askedOp    `json:"op,omitempty"`    // operation that the question is about, if its kind is "slot"
	ID      string      `json:"id,omitempty"`    // ID of the question; equal questions have equal IDs; "" in a lecture
	Hides   []quiz.Part `json:"hides"`           // parts of the pictures to hide until the question is answered
	From    place       `json:"from"`            // position at which the question is shown
	See     place       `json:"see"`             // position that shows the answer
	Targets []Target    `json:"targets"`         // the lanes to show; if the kind is "slot", each has an answer of its own
	Choice
}

// Target is a lane of a question.
type Target struct {
	Lane string `json:"lane"`
	Choice
}

// Choice is an answer, and options to choose from. It is empty for a target of a question that has one answer, and for
// a question whose targets have answers.
type Choice struct {
	Options []string       `json:"options,omitempty"` // at most four: lane IDs, numbers, places in the form "level:slot", or the words "reject", "now" and "never"
	Answer  string         `json:"answer,omitempty"`  // the right option
	Reasons []string       `json:"reasons,omitempty"` // why each option is wrong, with numbers from the run; "" for the right one
	Seq     int64          `json:"seq,omitempty"`     // number of the event that is the answer; 0 if there is none
	Timer   uint32         `json:"timerId,omitempty"` // ID of the timer of that event
	Event   jsontext.Value `json:"event,omitempty"`   // that event as a row, as in [EventRows]
}

// askedOp is the operation that a question is about: the tick at which a timer is scheduled, and the delay of the
// timer in ticks.
type askedOp struct {
	At    int64 `json:"at"`
	Delay int64 `json:"delay"`
}

// place is a position in a run: after event Seq or, if Seq is 0, at the end of Tick.
type place struct {
	Tick int64 `json:"tick"`
	Seq  int64 `json:"seq"`
}

// questionOf returns q, a question about a run of p, in the form that is sent to the page.
func questionOf(p *program.Program, q *quiz.Asked, lang string) *Question {
	out := &Question{
		Kind: q.Kind, Timer: q.Timer, At: q.At, About: q.About, ID: q.ID, Hides: q.Kind.Hides(), Targets: []Target{},
		From: place(q.From), See: place(q.See), Choice: choiceOf(p, &q.Choice, lang),
	}
	if q.Op != nil {
		out.Op = &askedOp{q.Op.At, q.Op.Delay}
	}
	for i := range q.Targets {
		t := &q.Targets[i]
		out.Targets = append(out.Targets, Target{t.Lane, choiceOf(p, &t.Choice, lang)})
	}
	return out
}

func choiceOf(p *program.Program, c *quiz.Choice, lang string) Choice {
	out := Choice{Options: c.Options, Answer: c.Answer.Value, Seq: c.Answer.Seq}
	for _, m := range c.Reasons {
		said := ""
		if m.Key != "" {
			said = static.Messages(lang).Say(m)
		}
		out.Reasons = append(out.Reasons, said)
	}
	if r := c.Answer.Event; r != nil {
		out.Timer = r.ID
		out.Event = append(protocol.AppendRow([]byte{'['}, r, c.Answer.Seq, p.Start, 0), ']')
	}
	return out
}
