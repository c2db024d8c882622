package scenario

import (
	"strconv"

	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// AppendJSON appends the canonical JSON of s, which must have been planned, to dst. The header of a trace
// contains the scenario in this form. Fields are in a fixed order, with defaults filled in. Durations
// are in base ticks, except in generated groups, where they are as written. There is no white space, and a
// missing title, summary or question is omitted. Decoding and planning the JSON yields a scenario with the
// same canonical JSON.
func (s *Scenario) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"wheelscope":`...)
	dst = strconv.AppendInt(dst, FormatVersion, 10)
	if s.Name != "" {
		dst = appendString(append(dst, `,"name":`...), s.Name)
	}
	dst = appendTexts(dst, `,"title":`, s.Title)
	dst = appendTexts(dst, `,"summary":`, s.Summary)
	dst = appendTexts(dst, `,"question":`, s.Question)
	dst = appendString(append(dst, `,"tick":`...), s.Tick)
	dst = appendInt(dst, `,"start":`, s.Start)
	dst = appendInt(dst, `,"until":`, s.Until)
	dst = append(dst, `,"lanes":[`...)
	for i := range s.Lanes {
		dst = s.Lanes[i].appendJSON(appendComma(dst, i))
	}
	dst = append(dst, `],"workload":{"ops":[`...)
	for i := range s.Ops {
		dst = s.Ops[i].appendJSON(appendComma(dst, i))
	}
	dst = append(dst, ']')
	if len(s.Generate) > 0 {
		dst = append(dst, `,"generate":[`...)
		for i := range s.Generate {
			dst = s.Generate[i].appendJSON(appendComma(dst, i))
		}
		dst = append(dst, ']')
	}
	return append(dst, "}}"...)
}

// AppendFile appends the canonical JSON of s, which must have been planned, and a newline to dst. It
// omits the newline if the JSON is BytesMax bytes long, because Decode would reject a longer file.
func (s *Scenario) AppendFile(dst []byte) []byte {
	from := len(dst)
	if dst = s.AppendJSON(dst); len(dst)-from == BytesMax {
		return dst
	}
	return append(dst, '\n')
}

func appendTexts(dst []byte, name string, t Text) []byte {
	if t.IsZero() {
		return dst
	}
	return t.appendJSON(append(dst, name...))
}

// MarshalJSON returns t in the form used in scenario files: a string, or an object with one string per language.
// The error is always nil.
func (t Text) MarshalJSON() ([]byte, error) { return t.appendJSON(nil), nil }

func (t Text) appendJSON(dst []byte) []byte {
	if len(t.Langs) == 0 {
		return appendString(dst, t.Plain)
	}
	dst = append(dst, '{')
	for i, l := range t.Langs {
		dst = append(appendString(appendComma(dst, i), l.Lang), ':')
		dst = appendString(dst, l.Text)
	}
	return append(dst, '}')
}

func (l *LaneSpec) appendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"id":`...), l.ID)
	dst = appendString(append(dst, `,"algorithm":`...), l.Algorithm)
	if a, ok := algorithms.Lookup(l.Algorithm); ok {
		for i := range a.Parameters {
			if v, ok := l.Params[a.Parameters[i].Name]; ok {
				dst = append(appendString(append(dst, ','), a.Parameters[i].Name), ':')
				dst = appendParam(dst, v)
			}
		}
	}
	return append(dst, '}')
}

func appendParam(dst []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case string:
		return appendString(dst, v)
	case []int64:
		return append(appendInts(append(dst, '['), v), ']')
	case []string:
		return append(appendStrings(append(dst, '['), v), ']')
	}
	return append(dst, "null"...) // no other type passes wheel's check
}

func appendInts(dst []byte, list []int64) []byte {
	for i, n := range list {
		dst = strconv.AppendInt(appendComma(dst, i), n, 10)
	}
	return dst
}

func appendStrings(dst []byte, list []string) []byte {
	for i, s := range list {
		dst = appendString(appendComma(dst, i), s)
	}
	return dst
}

func (op *Op) appendJSON(dst []byte) []byte {
	dst = appendInt(dst, `{"at":`, op.At)
	dst = append(append(append(dst, `,"op":"`...), op.Kind.String()...), '"')
	switch op.Kind {
	case OpStall:
		return append(appendInt(dst, `,"for":`, op.Amount), '}')
	case OpClock:
		return append(appendInt(dst, `,"by":`, op.Amount), '}')
	}
	dst = appendString(append(dst, `,"timer":`...), op.Timer)
	if op.Kind.Arms() {
		dst = appendInt(dst, `,"delay":`, op.Delay)
		if op.Every > 0 {
			dst = appendInt(dst, `,"every":`, op.Every)
			dst = appendInt(dst, `,"times":`, int64(op.Times))
		}
		if op.hasCreated {
			dst = appendInt(dst, `,"created":`, op.Created)
		}
	}
	return append(dst, '}')
}
