package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/say"
)

// TestErrorsKnowTheirLine checks that an error has the line of the value that it refers to.
func TestErrorsKnowTheirLine(t *testing.T) {
	const file = `{
  "wheelscope": 1,
  "lanes": [
    {"algorithm": "heap"},
    {"algorithm": "simple",
     "slots": SLOTS}
  ],
  "workload": {
    "ops": [
      {"at": 0, "op": "schedule", "timer": "a", "delay": DELAY}
    ]
  }
}`
	for _, c := range []struct {
		slots, delay, end string
		line              int
		path              string
	}{
		{`"x"`, "5", "\n", 6, "lanes[1].slots"},
		{"8", `"x"`, "\n", 10, "workload.ops[0].delay"},
		{"8", "5", "\n\n\n}", 16, ""},
		{"8", "[", "\n", 10, ""},
	} {
		data := strings.NewReplacer("SLOTS", c.slots, "DELAY", c.delay).Replace(file) + c.end
		for _, mark := range []string{"", "\ufeff"} {
			for _, newline := range []string{"\n", "\r\n"} {
				_, err := Load([]byte(mark + strings.ReplaceAll(data, "\n", newline)))
				var input *InputError
				if !errors.As(err, &input) || input.Path != c.path || input.Line != c.line {
					t.Errorf("%s %s %q: %+v, want line %d, path %q", c.slots, c.delay, c.end, input, c.line, c.path)
				}
			}
		}
	}
}

func TestByteOrderMarkAndCarriageReturns(t *testing.T) {
	data := strings.ReplaceAll(string(opsOf("\n\n")), " ", "\r\n\t ")
	loaded(t, []byte("\ufeff"+data+"\r\n"))
}

func TestEscapedFieldNames(t *testing.T) {
	p := loaded(t, []byte(`{"\u0077heelscope": 1, "lanes": [{"algor\u0069thm": "heap"}], "workload": {"o\u0070s": [{"\u0061t": 3, "op": "stall", "for": 2}]}}`))
	if len(p.Ops) != 1 || p.Ops[0].At != 3 {
		t.Errorf("%+v", p.Ops)
	}
}

// TestFoundIsShort checks that the user's text appears in a message on one line and cut short.
func TestFoundIsShort(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a": 1}`:                           "an object",
		`[1, 2]`:                             "a list",
		`"a\nb"`:                             `"a\nb"`,
		`true`:                               "true",
		strings.Repeat("9", 41):              strings.Repeat("9", 40) + "…",
		`"` + strings.Repeat("x", 61) + `"`:  `"` + strings.Repeat("x", 60) + `…"`,
		`"` + strings.Repeat("轮", 30) + `"`:  `"` + strings.Repeat("轮", 20) + `…"`,
		`"x` + strings.Repeat("轮", 30) + `"`: `"x` + strings.Repeat("轮", 19) + `…"`,
	} {
		if got := (value{raw: []byte(raw)}).found(); got != want {
			t.Errorf("%s is reported as %s, want %s", raw, got, want)
		}
	}
}

func TestInputErrorIsOneLine(t *testing.T) {
	for _, c := range []struct {
		err  InputError
		want string
	}{
		{InputError{"lanes[1].slots", 4, say.Of("%d is not %d", 0, 1)}, "lanes[1].slots: 0 is not 1"},
		{InputError{"", 4, say.Of("not JSON")}, "line 4: not JSON"},
		{InputError{"", 0, say.Of("too long")}, "too long"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	for _, c := range []struct{ path, under, want string }{
		{"workload.ops[4].delay", "workload.ops[4]", "delay"},
		{"workload.ops[4]", "workload.ops[4]", ""},
		{"workload.ops[41].delay", "workload.ops[4]", "workload.ops[41].delay"},
		{"until", "workload.ops[4]", "until"},
	} {
		e := &InputError{Path: c.path, Line: 3, Message: say.Of("m")}
		if got := e.Under(c.under); got.Path != c.want || got.Message.String() != "m" || e.Path != c.path {
			t.Errorf("%s under %s is %q, want %q", c.path, c.under, got.Path, c.want)
		}
	}
}
