package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
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
				_, err := program.Load([]byte(mark + strings.ReplaceAll(data, "\n", newline)))
				var input *scenario.InputError
				if !errors.As(err, &input) || input.Path != c.path || input.Line != c.line {
					t.Errorf("%s %s %q: %+v, want line %d, path %q", c.slots, c.delay, c.end, input, c.line, c.path)
				}
			}
		}
	}
}

func TestByteOrderMarkAndCarriageReturns(t *testing.T) {
	data := strings.ReplaceAll(string(plantest.Ops("\n\n")), " ", "\r\n\t ")
	plantest.Load(t, []byte("\ufeff"+data+"\r\n"))
}

func TestEscapedFieldNames(t *testing.T) {
	p := plantest.Load(t, []byte(`{"\u0077heelscope": 1, "lanes": [{"algor\u0069thm": "heap"}], "workload": {"o\u0070s": [{"\u0061t": 3, "op": "stall", "for": 2}]}}`))
	if len(p.Ops) != 1 || p.Ops[0].At != 3 {
		t.Errorf("%+v", p.Ops)
	}
}

func TestInputErrorIsOneLine(t *testing.T) {
	for _, c := range []struct {
		err  scenario.InputError
		want string
	}{
		{scenario.InputError{Path: "lanes[1].slots", Line: 4, Message: texts.Newf("%d is not %d", 0, 1)}, "lanes[1].slots: 0 is not 1"},
		{scenario.InputError{Path: "", Line: 4, Message: texts.Newf("not JSON")}, "line 4: not JSON"},
		{scenario.InputError{Path: "", Line: 0, Message: texts.Newf("too long")}, "too long"},
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
		e := &scenario.InputError{Path: c.path, Line: 3, Message: texts.Newf("m")}
		if got := e.Under(c.under); got.Path != c.want || got.Message.String() != "m" || e.Path != c.path {
			t.Errorf("%s under %s is %q, want %q", c.path, c.under, got.Path, c.want)
		}
	}
}
