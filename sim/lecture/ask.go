package lecture

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/quiz"
)

// ReadQueries reads the queries of a stop, as a JSON object.
func ReadQueries(data []byte) (*Queries, error) {
	q := &Queries{}
	if err := json.Unmarshal(data, q, json.RejectUnknownMembers(true)); err != nil {
		return nil, jsonFault(err)
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	return q, nil
}

// Values returns the answers to the facts, in the form in which they are inserted into texts. at is the tick of the stop.
func (q *Queries) Values(ctx context.Context, a *quiz.Quiz, at int64) (map[string]string, error) {
	values := map[string]string{}
	for name, query := range q.Facts {
		right, err := a.Answer(ctx, query, at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = inText(right.Value)
	}
	return values, nil
}

// inText formats a value for use in a sentence.
func inText(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return texts.Count(n).String()
	}
	return value
}

// Fill returns text with each {NAME} replaced by values[NAME].
func Fill(text string, values map[string]string) string {
	for name, value := range values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// Asked returns the question q.Ask with its answer, and with q.Options or, if that is empty, the options that [quiz.Quiz.Offer]
// returns. q.Ask must not be nil. at is the tick of the stop.
func (q *Queries) Asked(ctx context.Context, a *quiz.Quiz, at int64) (*quiz.Asked, error) {
	return a.Ask(ctx, *q.Ask, at, uint64(at)+1, nil, q.Options)
}
