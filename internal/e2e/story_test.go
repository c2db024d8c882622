package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// laneFacts are the page's data about a lane besides its events.
type laneFacts struct {
	ID        string         `json:"id"`
	Algorithm string         `json:"algorithm"`
	Shape     wheel.Shape    `json:"shape"`
	Arity     int            `json:"arity"`
	Params    catalog.Params `json:"params"`
}

// factsOf returns the laneFacts of every lane of a scenario, with its initial levels.
func factsOf(t *testing.T, p *program.Program) (facts []laneFacts, levels [][][]int64) {
	t.Helper()
	for i := range p.Scenario.Lanes {
		l := &p.Scenario.Lanes[i]
		w, err := algorithms.New(l.Algorithm, l.Params, p.Start)
		if err != nil {
			t.Fatal(err)
		}
		layout := w.Layout()
		facts = append(facts, laneFacts{l.ID, l.Algorithm, layout.Shape, layout.Arity, l.Params})
		own := [][]int64{}
		for _, v := range layout.Levels {
			own = append(own, []int64{int64(v.Level), int64(v.Slots), v.Width})
		}
		levels = append(levels, own)
	}
	return facts, levels
}

// codeOf reads the pseudo-code of every algorithm.
func codeOf(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{}
	for _, a := range algorithms.Catalogue() {
		data, err := static.FS().Open("knowledge/" + a.ID + ".json")
		if err != nil {
			continue // another test checks for missing ones
		}
		var k struct{ Code json.RawMessage }
		if err := json.NewDecoder(data).Decode(&k); err != nil {
			t.Fatal(err)
		}
		all[a.ID] = k.Code
	}
	return all
}

// describedTrace is the result of describing a whole trace.
type describedTrace struct {
	Described, Placed, Explained int
	Faults, Formulas             []string
	Bare                         []string // placements without a formula
}

// storyEventsMax bounds the events of a run that are described one by one, by language, in the long form. The short
// one describes a quarter of them.
var storyEventsMax = map[string]int{"en": 2000, "zh": 400}

// TestStoryOfEveryEvent describes every event of every built-in scenario, in both languages: no
// sentence is empty or has an unfilled part, each has its timer and its numbers, and every formula
// is true.
func TestStoryOfEveryEvent(t *testing.T) {
	t.Parallel()
	p := newFoldTab(t)
	p.run(string(read(t, "story.js")))
	code := quote(codeOf(t))
	scenarios := foldScenarios(t)
	systems, err := os.ReadFile("testdata/story.json")
	if err != nil {
		t.Fatal(err)
	}
	scenarios["every system"] = systems
	for name, data := range scenarios {
		in := instantsOf(t, data)
		facts, levels := factsOf(t, in.run.Program())
		for _, lang := range static.Languages {
			most := storyEventsMax[lang]
			if !longForm() {
				most /= 4
			}
			trace := headOfTrace(t, in, most)
			got := eval[describedTrace](p, fmt.Sprintf("describeTrace(%s, %s, %s, %s, %s, %d)",
				quote(trace), quote(facts), quote(levels), code, quote(static.Texts(lang)), most))
			for _, fault := range got.Faults {
				t.Errorf("%s, %s: %s", name, lang, fault)
			}
			if got.Described == 0 || got.Described < min(most, strings.Count(trace, "\n")-2) {
				t.Errorf("%s, %s: %d events described", name, lang, got.Described)
			}
			if got.Explained*10 < got.Placed*9 {
				t.Errorf("%s: %d of %d placements have a formula; not %v", name, got.Explained, got.Placed, got.Bare)
			}
			if lang == "en" {
				checkFormulas(t, name, got.Formulas)
			}
		}
	}
}

// head is a writer that keeps the first lines and refuses more, so that a long trace is not
// written in full.
type head struct {
	bytes.Buffer
	left int // lines
}

var errEnough = errors.New("enough lines")

func (h *head) Write(p []byte) (int, error) {
	for i, c := range p {
		if c == '\n' {
			if h.left--; h.left == 0 {
				h.Buffer.Write(p[:i+1])
				return i + 1, errEnough
			}
		}
	}
	return h.Buffer.Write(p)
}

// headOfTrace returns the header of a run's trace and its first events.
func headOfTrace(t *testing.T, in *instants, events int) string {
	t.Helper()
	h := head{left: events + 1}
	if _, err := tracefile.Write(t.Context(), &h, in.run.Program(), tracefile.Options{}); err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return h.String()
}

// checkFormulas computes both sides of every equation of the story.
func checkFormulas(t *testing.T, name string, lines []string) {
	t.Helper()
	for _, line := range lines {
		computed := 0
		for _, chain := range relations.Split(maxOf.ReplaceAllString(line, "max($1;$2)"), -1) {
			n, err := checkChain(chain)
			if err != nil {
				t.Errorf("%s: %q: %v", name, line, err)
			}
			computed += n
		}
		if computed == 0 && !dues.MatchString(line) {
			t.Errorf("%s: nothing in %q can be computed", name, line)
		}
	}
}

var (
	relations = regexp.MustCompile(`, |: | ≠ | ≤ | ≥ | < | > `)
	dues      = regexp.MustCompile(`^(due )?\d+ [<>=] (due )?\d+ \(`) // a comparison of two dues
	maxOf     = regexp.MustCompile(`max\((\d+), (\d+)\)`)
	letters   = regexp.MustCompile(`[\pL’]`)
	ceiling   = regexp.MustCompile(`⌈(\([^)]*\)|\d+) / (\d+)⌉`)
	nearest   = regexp.MustCompile(`\[(\([^)]*\)|\d+) / (\d+)\]`)
)

// checkChain compares neighbours in "a = b = c" that consist of numbers only, and returns how many
// it compared.
func checkChain(chain string) (compared int, err error) {
	last := ""
	for _, side := range strings.Split(chain, " = ") {
		side = asGo(side)
		if letters.MatchString(strings.ReplaceAll(side, "max", "")) {
			continue // a word: "slot", "due mod 3"
		}
		if last != "" {
			v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, "("+last+") == ("+side+")")
			if err != nil {
				return compared, err
			}
			if v.Value == nil || !constant.BoolVal(v.Value) {
				return compared, fmt.Errorf("%s is not %s", last, side)
			}
			compared++
		}
		last = side
	}
	return compared, nil
}

// asGo converts an expression of a formula to a Go constant. Go divides integers as ⌊ ⌋ and div
// do.
func asGo(side string) string {
	side = ceiling.ReplaceAllString(side, "(($1 + $2 - 1) / $2)")
	side = nearest.ReplaceAllString(side, "((2*$1 + $2) / (2*$2))")
	return strings.NewReplacer(";", ",", "⌊", "(", "⌋", ")", "−", "-", "·", "*", " mod ", " % ", " div ", " / ", " xor ", " ^ ").Replace(side)
}

// slowPlayer delays the server's `player` messages until some frames after the state that they
// belong to.
const slowPlayer = `(() => {
	const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	const late = (e) => e.data.slice(0, 40).includes('"player"');
	Object.defineProperty(WebSocket.prototype, "onmessage", { set(take) {
		own.set.call(this, (e) => (late(e) ? setTimeout(() => take(e), 150) : take(e)));
	} });
})()`

// TestEndIsLeft goes from the end to a tick without events: the story does not describe it as the
// end, though the server's message arrives a little later.
func TestEndIsLeft(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.atStart(slowPlayer)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.slide(14)
	p.wait(`document.querySelector("[role=status]").textContent.includes("The end")`)
	p.slide(8)
	p.frames()
	if got := p.status(); !strings.Contains(got, "nothing was due") || strings.Contains(got, "The end") {
		t.Errorf("at tick 8 of 14 the page says %q", got)
	}
}
