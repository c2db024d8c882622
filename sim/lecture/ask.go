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
		values[name] = joined(right.Values)
	}
	return values, nil
}

// joined returns the values of an answer as a comma-separated list, with integers formatted for use in a sentence.
func joined(values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = v
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			words[i] = texts.Count(n).String()
		}
	}
	return strings.Join(words, ", ")
}

// Fill returns text with each {NAME} replaced by values[NAME].
func Fill(text string, values map[string]string) string {
	for name, value := range values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// Offered returns the question q.Ask with options to choose from: q.Options or, if that is empty, the options that a.Offer
// returns. q.Ask must not be nil. at is the tick of the stop.
func (q *Queries) Offered(ctx context.Context, a *quiz.Quiz, at int64) (*quiz.Question, error) {
	out, err := a.Offer(ctx, *q.Ask, at, uint64(at)+1)
	if err == nil && len(q.Options) > 0 {
		out.Options = q.Options
	}
	return out, err
}
