package knowledge

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Every algorithm of the catalogue has a page, and every page an algorithm.
func TestEveryAlgorithmHasAPage(t *testing.T) {
	known := map[string]bool{recorded.ID: true}
	for _, a := range algorithms.Catalogue() {
		known[a.ID] = true
		if _, ok := Of(a.ID); !ok {
			t.Errorf("static/knowledge/%s.json is not there", a.ID)
		}
	}
	files, err := fs.Glob(static.FS(), "knowledge/*.json")
	if err != nil || len(files) < len(known) {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		id := strings.TrimSuffix(strings.TrimPrefix(f, "knowledge/"), ".json")
		if !known[id] {
			t.Errorf("%s is of no algorithm", f)
		}
	}
}

func TestPagesAreWholeInBothLanguages(t *testing.T) {
	for id, p := range pages() {
		for what, text := range texts(p) {
			switch {
			case len(text.EN) < 15 || hasHan(text.EN):
				t.Errorf("%s.%s in English: %q", id, what, text.EN)
			case len(text.ZH) < 15 || !hasHan(text.ZH):
				t.Errorf("%s.%s in Chinese: %q", id, what, text.ZH)
			}
		}
		for what, c := range map[string]Cost{"start": p.Start, "stop": p.Stop, "tick": p.Tick} {
			words := strings.ContainsAny(strings.ReplaceAll(c.Cost, "log", ""), "abcdefghijkloprstuvwxyz")
			if !strings.ContainsAny(c.Cost, "O0") || words != hasHan(c.CostZH) {
				t.Errorf("%s.%s costs %q, %q", id, what, c.Cost, c.CostZH)
			}
		}
		if len(p.Sources) == 0 || strings.TrimSpace(p.Sources[0]) == "" {
			t.Errorf("%s has no source", id)
		}
	}
}

func texts(p *Page) map[string]Text {
	all := map[string]Text{"idea": p.Idea, "structure": p.Structure, "start": {p.Start.EN, p.Start.ZH},
		"stop": {p.Stop.EN, p.Stop.ZH}, "tick": {p.Tick.EN, p.Tick.ZH}, "fires": p.Fires, "used": p.Used, "instead": p.Instead}
	if p.Slow != nil {
		all["slow"] = *p.Slow
	}
	return all
}

// Each page has a title, a summary, a guarantee and the meaning of every parameter, and of nothing
// else.
func TestEntriesAreWhole(t *testing.T) {
	all := append(slices.Clone(algorithms.Catalogue()), recorded.Algorithm)
	for i, e := range Entries(all) {
		list := map[string]Text{"title": e.Title, "summary": e.Summary, "early": e.Guarantee.Early, "late": e.Guarantee.Late}
		for _, q := range e.Parameters {
			list["parameters."+q.Name] = q.Meaning
		}
		for what, text := range list {
			if text.EN == "" || hasHan(text.EN) || !hasHan(text.ZH) {
				t.Errorf("%s.%s: %+v", e.ID, what, text)
			}
		}
		if p, _ := Of(e.ID); len(p.Parameters) != len(all[i].Parameters) {
			t.Errorf("%s describes %d parameters of %d", e.ID, len(p.Parameters), len(e.Parameters))
		}
	}
	if e := Entries([]catalog.Algorithm{{ID: "mine"}}); len(e) != 1 || e[0].Title != (Text{"mine", "mine"}) {
		t.Errorf("%+v", e)
	}
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// words matches words of English and of programming languages that do not belong to one algorithm.
var words = regexp.MustCompile(`\b(if|for|while|the|it|fire|run|append)\b`)

// The code has the expected procedures, each contiguous, and lines short enough for a narrow
// panel.
func TestCode(t *testing.T) {
	for id, p := range pages() {
		var order []string
		for i, l := range p.Code {
			if len(order) == 0 || order[len(order)-1] != l.Proc {
				order = append(order, l.Proc)
			}
			if hasHan(l.Text) || l.ZH != "" && !hasHan(l.ZH) || l.ZH == "" && words.MatchString(l.Text) {
				t.Errorf("%s.code[%d]: %q, %q", id, i, l.Text, l.ZH)
			}
			if width(l.Text) > LineColumnsMax || width(l.ZH) > LineColumnsMax {
				t.Errorf("%s.code[%d] is wider than %d columns: %q, %q", id, i, LineColumnsMax, l.Text, l.ZH)
			}
			if indent(l.Text)%2 != 0 || l.ZH != "" && indent(l.ZH) != indent(l.Text) {
				t.Errorf("%s.code[%d] is indented by %d, in Chinese by %d", id, i, indent(l.Text), indent(l.ZH))
			}
		}
		if got := strings.Join(order, " "); got != "place cancel advance" && !strings.HasPrefix(got, "place cancel advance ") {
			t.Errorf("%s has the procedures %s", id, got)
		}
	}
}

// LineColumnsMax is the maximum width of a line of code; a Chinese character has two columns.
const LineColumnsMax = 52

func width(s string) (n int) {
	for _, r := range s {
		if n++; r >= 0x2e80 {
			n++
		}
	}
	return n
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func TestBrokenFilesAreNamed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"id":"b"}`, `knowledge/a.json: id: "b" is not "a"`},
		{`{"id":"a","ideas":1}`, `unknown object member name "ideas"`},
		{`{"id":"a","code":[{"on":["fall"]}]}`, `code[0]: on: "fall": "fall" is not a kind of event`},
		{`{"id":"a","code":[{"on":["hand"]},{"on":["expire !late sideways"]}]}`, `code[1]: on: "expire !late sideways": "sideways" is not a condition`},
		{`{"id":"a","code":[{"on":["hand "]}]}`, `"" is not a condition`},
		{`{`, `unexpected EOF`},
	} {
		_, err := read(fstest.MapFS{"knowledge/a.json": {Data: []byte(c.text)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
