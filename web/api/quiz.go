package api

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/quiz"
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

// question generates the question that q identifies. Each call generates the same question.
func (q *QuizPlace) question(ctx context.Context) (*quiz.Question, error) {
	h := fnv.New64a()
	h.Write([]byte(q.seed))
	return q.questions.Predict(ctx, q.tick, h.Sum64(), q.n, q.seen)
}

// Ask returns the question that q identifies. If there is nothing to ask, such as after the last event of the
// run, the question has no Kind.
func (q *QuizPlace) Ask(ctx context.Context) (*Question, error) {
	question, err := q.question(ctx)
	if errors.Is(err, quiz.ErrNoAnswer) {
		return &Question{At: q.tick, Options: []string{}}, nil // of no kind
	}
	if err != nil {
		return nil, askFault(err)
	}
	out := asked(question)
	out.Seed, out.ID = q.seed, question.ID
	return out, nil
}

// Grade grades picks, the indexes of the picked options, and explains the options in the language lang. It generates
// the question again, because questions are not stored.
func (q *QuizPlace) Grade(ctx context.Context, picks []string, lang string) (*Grade, error) {
	question, err := q.question(ctx)
	if err != nil {
		return nil, askFault(err)
	}
	out, err := grade(ctx, picks, q.questions, question, lang)
	if err != nil {
		return nil, askFault(err)
	}
	return out, nil
}
