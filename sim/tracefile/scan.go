package tracefile

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// foundMax is the maximum number of bytes of a line that an error message quotes.
const foundMax = 24

// lineScanner reads one line from left to right. At the first deviation from the format it sets err, and its
// methods then do nothing. It accepts only one spelling of each value, so that lines with equal values are
// identical.
type lineScanner struct {
	rest []byte
	err  error
	rec  *engine.Record // record in which the values of the fields are stored; nil means that they are not needed
	name string         // name of the timer in the line
}

// fail sets s.err to an error that quotes the beginning of s.rest and says that want was expected instead.
func (s *lineScanner) fail(want any) {
	found := "the line's end"
	if len(s.rest) > 0 {
		found = strconv.Quote(string(s.rest[:min(len(s.rest), foundMax)]))
	}
	s.err = fault("found %s, expected %s", found, want)
}

func (s *lineScanner) literal(want string) {
	if s.err != nil {
		return
	}
	if !s.take(want) {
		s.fail(want)
	}
}

// take removes text from the beginning of s.rest. It returns false if s.rest does not begin with text, or
// s.err is set.
func (s *lineScanner) take(text string) bool {
	if s.err != nil || len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

// number reads a 64-bit integer, which must not be less than least. It returns 0 after an error.
func (s *lineScanner) number(least int64) int64 {
	if s.err != nil {
		return 0
	}
	n := 0
	for n < len(s.rest) && (s.rest[n] == '-' || s.rest[n] >= '0' && s.rest[n] <= '9') {
		n++
	}
	digits := string(s.rest[:n])
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || strconv.FormatInt(v, 10) != digits || v < least {
		want := texts.Newf("a whole number of 64 bits")
		if least > math.MinInt64 {
			want = texts.Newf("a whole number, %d or more", least)
		}
		s.fail(want)
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

// text reads a JSON string, which must not have unnecessary escapes. It returns "" after an error.
func (s *lineScanner) text() string {
	if s.err != nil {
		return ""
	}
	n := 1
	for n < len(s.rest) && s.rest[n] != '"' {
		if s.rest[n] == '\\' {
			n++
		}
		n++
	}
	n = min(n+1, len(s.rest))
	value, err := jsontext.AppendUnquote(nil, s.rest[:n])
	if err == nil {
		quoted, _ := jsontext.AppendQuote(nil, value)
		if bytes.Equal(quoted, s.rest[:n]) {
			s.rest = s.rest[n:]
			return string(value)
		}
	}
	s.fail("a string")
	return ""
}

// oneOf reads one of values and returns its index, or -1 after an error. No value may be a prefix of another.
// what describes the values in the error.
func (s *lineScanner) oneOf(what string, values []string) int {
	if s.err != nil {
		return -1
	}
	k := slices.IndexFunc(values, s.take)
	if k < 0 {
		s.fail(what)
	}
	return k
}

// fields reads the fields of an event. list, an element of LineFields, gives their names and order.
func (s *lineScanner) fields(list string) {
	for list != "" && s.err == nil {
		var group string
		if strings.HasPrefix(list, "[") {
			group, list, _ = strings.Cut(list[1:], "]")
			if first, _, _ := strings.Cut(group, " "); !bytes.HasPrefix(s.rest, []byte(`,"`+first+`":`)) {
				group = ""
			}
		} else {
			group, list, _ = strings.Cut(list, " ")
		}
		for _, name := range strings.Fields(group) {
			s.field(name)
		}
		list = strings.TrimPrefix(list, " ")
	}
}

func (s *lineScanner) field(name string) {
	s.literal(`,"` + name + `":`)
	words, isWord := fieldWords[name]
	switch {
	case isWord:
		if word := s.text(); s.err == nil && !slices.Contains(words, word) {
			s.err = fault("%s is %q, expected one of %s", name, word, strings.Join(words, ", "))
		} else {
			s.noteCode(word)
		}
	case name == "timer":
		s.name = s.text()
	case name == "from", name == "to":
		s.literal(`{"level":`)
		level := s.value("level")
		s.literal(`,"slot":`)
		slot := s.value("slot")
		s.literal(`}`)
		s.notePlace(name, level, slot)
	default:
		s.note(name, s.value(name))
	}
}

// value reads the value of the named numeric field and checks it against fieldMin and fieldMax. Ticks have no
// minimum, because they may be before the start of the scenario.
func (s *lineScanner) value(name string) int64 {
	least, bounded := fieldMin[name]
	if !bounded {
		least = math.MinInt64
	}
	before := s.rest
	v := s.number(least)
	if most, ok := fieldMax[name]; ok && v > most {
		s.rest = before
		s.fail(scenario.Between(least, most))
	}
	return v
}
