package lecture

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
)

func newStore(t *testing.T) *sim.Store {
	t.Helper()
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	return store
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

var sum = regexp.MustCompile(`(?:⌊(\d+) / (\d+)⌋|(\d+)) (mod|\+) (\d+) = (\d+)`)

// badSum returns the first sum in a text that is wrong, or "".
func badSum(text string) string {
	for _, m := range sum.FindAllStringSubmatch(text, -1) {
		n := make([]int64, len(m))
		for i := range m {
			n[i], _ = strconv.ParseInt(m[i], 10, 64)
		}
		left := n[3]
		if m[1] != "" {
			left = n[1] / n[2]
		}
		if m[4] == "mod" && left%n[5] != n[6] || m[4] == "+" && left+n[5] != n[6] {
			return m[0]
		}
	}
	return ""
}

func TestBadSum(t *testing.T) {
	for text, bad := range map[string]bool{"10 + 788 = 798, and 798 mod 256 = 30": false, "⌊13 / 9⌋ mod 3 = 1": false, "⌊13 / 9⌋ mod 3 = 2": true, "4 mod 3 = 2": true, "1 + 2 = 4": true, "none": false} {
		if got := badSum(text); (got != "") != bad {
			t.Errorf("%q: %q", text, got)
		}
	}
}

var field = regexp.MustCompile(`\{\w+\}`)

// Every stop of the built-in lectures exists, its texts are in both languages, each number in them is the engine's, and exactly one
// option of each question is right.
func TestBuiltinsAgreeWithTheEngine(t *testing.T) {
	ctx, checker := soon(t), &Checker{Store: newStore(t)}
	for _, l := range Builtins() {
		for _, err := range checker.Check(ctx, l) {
			t.Errorf("%s: %v", l.Name, err)
		}
		for i := range l.Stops {
			t.Run(l.Name+"/"+strconv.Itoa(i+1), func(t *testing.T) { checkStop(ctx, t, checker, l, &l.Stops[i]) })
		}
	}
}

func checkStop(ctx context.Context, t *testing.T, c *Checker, l *Lecture, s *Stop) {
	run, err := c.Open(ctx, l, s)
	if err != nil {
		t.Fatal(err)
	}
	a := &quiz.Quiz{Run: run}
	values, err := s.Values(ctx, a, s.At())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []Words{s.Title, s.Note, s.Script, s.Question, s.Why} {
		if w == nil {
			continue
		}
		if langs := slices.Sorted(maps.Keys(w)); !slices.Equal(langs, []string{"en", "zh"}) {
			t.Errorf("%v: the languages are %v", w, langs)
		}
		if en, zh := field.FindAllString(w["en"], -1), field.FindAllString(w["zh"], -1); !slices.Equal(slices.Sorted(slices.Values(en)), slices.Sorted(slices.Values(zh))) {
			t.Errorf("English names %v, Chinese %v", en, zh)
		}
		for _, lang := range static.Languages {
			text := Fill(w.In(lang), values)
			if strings.ContainsAny(text, "{}") || badSum(text) != "" {
				t.Errorf("%q: a field that is not filled, or a wrong sum", text)
			}
			t.Log(text)
		}
	}
	if s.Ask == nil {
		return
	}
	q, err := s.Asked(ctx, a, s.At())
	if err != nil {
		t.Fatal(err)
	}
	choice := &q.Choice
	if q.Kind == quiz.KindSlot {
		choice = &q.Targets[0].Choice
	}
	offered := slices.Compact(slices.Sorted(slices.Values(choice.Options)))
	if len(offered) != len(choice.Options) || len(offered) < 2 || len(offered) > OptionsMax || !slices.Contains(offered, choice.Answer.Value) {
		t.Errorf("of %v the right answer is %v", choice.Options, choice.Answer.Value)
	}
	t.Logf("%s %s: %v of %v", q.Kind, q.Lane, choice.Answer.Value, choice.Options)
}

// The schema accepts the built-in lectures, and refuses what Read refuses for its form.
func TestSchema(t *testing.T) {
	schema := testkit.CompileSchema(t, testkit.LectureSchema)
	for _, name := range builtinNames {
		if err := testkit.Validate(t, schema, Data(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range badLectures {
		if err := testkit.Validate(t, schema, []byte(text)); (err == nil) != (strings.HasPrefix(name, "only Read")) {
			t.Errorf("%s: the schema says %v", name, err)
		}
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}

const good = `{"scenario":"reach","tick":3,"title":"x","note":"y"}`

var badLectures = map[string]string{
	"no stops":              `{"wheelscope":1,"kind":"lecture","title":"x","stops":[]}`,
	"no title":              `{"wheelscope":1,"kind":"lecture","stops":[` + good + `]}`,
	"version":               `{"wheelscope":2,"kind":"lecture","title":"x","stops":[` + good + `]}`,
	"kind":                  `{"wheelscope":1,"kind":"trace","title":"x","stops":[` + good + `]}`,
	"field":                 `{"wheelscope":1,"kind":"lecture","title":"x","stop":1,"stops":[` + good + `]}`,
	"view":                  `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","view":"race","title":"x","note":"y"}]}`,
	"note":                  `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","title":"x"}]}`,
	"a long note":           `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","title":"x","note":"` + strings.Repeat("y", NoteRunesMax+1) + `"}]}`,
	"many stops":            `{"wheelscope":1,"kind":"lecture","title":"x","stops":[` + strings.Repeat(good+",", StopsMax) + good + `]}`,
	"only Read: run":        `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"run":"0123456789abcdef","title":"x","note":"y"}]}`,
	"only Read: tick, seq":  `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","tick":1,"seq":2,"title":"x","note":"y"}]}`,
	"only Read: edit":       `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","edit":{"op":"cancel","timer":"near"},"title":"x","note":"y"}]}`,
	"only Read: lane":       `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","lane":"list","lanes":["levels"],"title":"x","note":"y"}]}`,
	"only Read: no ask":     `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"scenario":"reach","question":"z","title":"x","note":"y"}]}`,
	"two scenarios, no one": `{"wheelscope":1,"kind":"lecture","title":"x","stops":[{"title":"x","note":"y"}]}`,
}

// Each stop that does not exist is reported in one line with the path of the field.
func TestCheck(t *testing.T) {
	checker := &Checker{Store: newStore(t)}
	own := `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":3}]}}`
	p, err := program.Load([]byte(own))
	if err != nil {
		t.Fatal(err)
	}
	digest := p.Digest()[:sim.DigestShort]
	l, err := Read([]byte(`{"wheelscope":1,"kind":"lecture","title":"x","scenarios":{"` + digest + `":` + own + `,"0123456789abcdef":` + own + `},"stops":[
		` + good + `,
		{"scenario":"reach2","title":"x","note":"y"},
		{"scenario":"reach","tick":29,"title":"x","note":"y"},
		{"scenario":"reach","seq":1000000,"title":"x","note":"y"},
		{"scenario":"reach","lanes":["reject","wheel"],"title":"x","note":"y"},
		{"scenario":"reach","lane":"wheel","title":"x","note":"y"},
		{"scenario":"reach","follow":"task1","title":"x","note":"y"},
		{"scenario":"reach","tick":3,"edit":{"op":"cancel","timer":"task1"},"title":"x","note":"y"},
		{"scenario":"reach","facts":{"n":{"kind":"live","lane":"wheel"}},"title":"x","note":"{n}"},
		{"run":"` + digest + `","tick":2,"edit":{"op":"schedule","timer":"b","delay":100},"follow":"b","title":"x","note":"y"},
		{"run":"0123456789abcdef","title":"x","note":"y"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, err := range checker.Check(soon(t), l) {
		got = append(got, err.Error())
	}
	want := []string{
		`stops[1].scenario: "reach2" is not the name of a built-in scenario`,
		`stops[2].tick: 29 is not a tick of the scenario, which ends at 28`,
		`stops[3].seq: 1000000 is not an event of the run, which has `,
		`stops[4].lane: "wheel" is not a lane of the scenario`,
		`stops[5].lane: "wheel" is not a lane of the scenario`,
		`stops[6].follow: "task1" is not a timer of the scenario`,
		`stops[7].edit.workload.ops[6].timer: `,
		`stops[8].facts: n: lane: "wheel" is not a lane of the scenario`,
		`stops[10].run: ` + digest + ` is the digest of the scenario in the file, not 0123456789abcdef`,
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines:\n%s", len(got), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("line %d: %s, want %s…", i, got[i], want[i])
		}
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		string(Data("five-faults")[:200]): true, `{"stops":[{"kind":"x"}],"kind":"lecture","ti`: true, `{"wheelscope":1,"kind":"trace"}`: false,
		`{"wheelscope":1,"ki`: false, `{"wheelscope":1}`: false, "[": false, "": false,
	} {
		if Begins([]byte(text)) != want {
			t.Errorf("%.60q: %v", text, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(Data("five-faults"))
	for _, text := range badLectures {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Read(data); err != nil && strings.ContainsRune(err.Error(), '\n') {
			t.Errorf("more than one line: %q", err.Error())
		}
	})
}
