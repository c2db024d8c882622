package sim

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// foundMax is how many bytes of a line an error shows.
const foundMax = 24

// lineScanner reads one line from left to right and stops at the first thing that
// is not as a trace has it; later calls then do nothing. There is one way to
// write a line, so whatever it accepts can be compared by bytes.
type lineScanner struct {
	rest []byte
	err  error
	rec  *Record // what the fields say, for one who wants it; may be nil
	name string  // of the timer
}

// fail tells that want was expected where rest begins.
func (s *lineScanner) fail(want string) {
	found := "the line's end"
	if len(s.rest) > 0 {
		found = strconv.Quote(string(s.rest[:min(len(s.rest), foundMax)]))
	}
	s.err = fmt.Errorf("found %s, expected %s", found, want)
}

func (s *lineScanner) literal(want string) {
	if s.err != nil {
		return
	}
	if !s.take(want) {
		s.fail(want)
	}
}

// take reads text if it comes next.
func (s *lineScanner) take(text string) bool {
	if s.err != nil || len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

// number reads an integer of 64 bits, least or more.
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
		want := "a whole number of 64 bits"
		if least > math.MinInt64 {
			want = fmt.Sprintf("a whole number, %d or more", least)
		}
		s.fail(want)
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

// text reads a JSON string, escaped only where JSON must.
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

// oneOf reads one of the values, none of which begins another, and says which.
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

// fields reads the fields of a kind, as lineFields lists them.
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
			s.err = fmt.Errorf("%s is %q, expected one of %s", name, word, strings.Join(words, ", "))
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

// value reads the number of a field. Ticks may lie before start, so they have no least.
func (s *lineScanner) value(name string) int64 {
	least, bounded := fieldLeast[name]
	if !bounded {
		least = math.MinInt64
	}
	before := s.rest
	v := s.number(least)
	if most, ok := fieldMost[name]; ok && v > most {
		s.rest = before
		s.fail(between(least, most))
	}
	return v
}
