package session

import (
	"math"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// findFields maps a condition of the find command to the field that it requires. Conditions that are not in the
// map require none. A command with a field that its condition does not require is rejected.
var findFields = map[cursor.Condition]string{cursor.ConditionTimer: "timer", cursor.ConditionSlot: "over", cursor.ConditionCost: "over"}

// find decodes a find command and returns the function that starts the search. The lane is looked up only when that
// function is called, because an earlier command may still change the lanes.
func (s *Session) find(c *protocol.Command) (func() error, error) {
	w, err := queryOf(c)
	if err != nil {
		return nil, err
	}
	n, err := direction(c)
	if err != nil {
		return nil, err
	}
	lane := ""
	if c.Has("lane") {
		if lane, err = c.Text("lane"); err != nil {
			return nil, err
		}
	}
	return func() error {
		if c.Has("lane") {
			i, err := s.laneIndex("lane", lane)
			if err != nil {
				return err
			}
			w.Lane = i
		}
		return s.runner.Find(w, n > 0)
	}, nil
}

// queryOf decodes a find command, except for its direction and lane. The Lane of the result is -1, which means all
// lanes.
func queryOf(c *protocol.Command) (cursor.Query, error) {
	w := cursor.Query{Lane: -1}
	word, err := c.Text("what")
	if err != nil {
		return w, err
	}
	var ok bool
	if w.Condition, ok = cursor.ConditionOf(word); !ok {
		return w, texts.Errorf(texts.Invalid, "what", "%q is not one of %s", texts.Clip(word), findWords())
	}
	for _, field := range []string{"timer", "over"} {
		if c.Has(field) && findFields[w.Condition] != field {
			return w, texts.Errorf(texts.Invalid, field, "%s takes no %s", word, field)
		}
	}
	if c.Has("lane") && w.Condition == cursor.ConditionDiffer {
		return w, texts.Errorf(texts.Invalid, "lane", "%s takes no %s", word, "lane")
	}
	switch findFields[w.Condition] {
	case "timer":
		w.Timer, err = c.Text("timer")
	case "over":
		w.Over, err = c.Integer("over", 0, math.MaxInt64>>1)
	}
	return w, err
}

// findWords returns the names of all conditions that a find command can search for, separated by commas.
func findWords() string {
	var words []string
	for w := cursor.ConditionExpire; w <= cursor.ConditionDiffer; w++ {
		words = append(words, w.String())
	}
	return strings.Join(words, ", ")
}

// OnSearch sends at, the state of a search, to all viewers. It is called repeatedly while the search continues, and
// once when it ends. It implements cursor.Listener.
func (s *Session) OnSearch(at cursor.Search) {
	n := int64(-1)
	if at.Forward {
		n = 1
	}
	s.broadcast(s.encode(protocol.Search{Header: s.header("search"), What: at.Query.Condition.String(), N: n, Tick: at.Tick, Outcome: at.Outcome.String()}))
}
