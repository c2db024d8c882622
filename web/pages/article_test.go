package pages

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates/learn"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/view"
)

// rendered returns the article as HTML.
func rendered(t *testing.T, lang string) (*learn.Page, string) {
	t.Helper()
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	p, err := buildArticle(t.Context(), store, view.Options{Base: "/base"}, lang)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := learn.View(p).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return p, b.String()
}

// Every text is on the page, every control has a label and is in the text, and no markup of the
// source remains.
func TestArticleIsComplete(t *testing.T) {
	for _, lang := range static.Languages {
		p, page := rendered(t, lang)
		if len(p.Chapters) != 6 {
			t.Fatalf("%d chapters", len(p.Chapters))
		}
		plain := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "")), "")
		for key, text := range static.Article(lang) {
			for _, piece := range regexp.MustCompile(`\{[^}]*\}|[*]|\[|\]\([^)]*\)`).Split(text, -1) {
				piece = strings.NewReplacer("'", "&#39;").Replace(strings.Join(strings.Fields(piece), ""))
				if !strings.Contains(plain, piece) && !strings.Contains(page, text) {
					t.Errorf("%s: %q of %s is not on the page", lang, piece, key)
				}
			}
		}
		for i := range p.Chapters {
			c := &p.Chapters[i]
			used := 0
			for _, list := range [][]learn.Paragraph{c.Before, c.Try, c.After} {
				for _, par := range list {
					for _, part := range par.Parts {
						if part.Control != nil {
							used++
						}
						if part.Control != nil && part.Control.Label == "" || strings.ContainsAny(part.Text, "{}*[]") {
							t.Errorf("%s: %s has the part %+v", lang, c.Name, part)
						}
					}
				}
			}
			if want := len(chapters[i].controls); used != want {
				t.Errorf("%s: %s has %d controls in its text, want %d", lang, c.Name, used, want)
			}
			if c.Answers < 3 || c.Right < 1 || c.Right > c.Answers || len(c.Before) < 1 || len(c.After) < 2 {
				t.Errorf("%s: %+v", lang, c)
			}
		}
	}
}

// The figures in the text are computed from the runs. The expected ones here were computed by hand.
func TestFacts(t *testing.T) {
	p, _ := rendered(t, "en")
	for _, c := range []struct {
		chapter, want string // the paragraphs with the figures, without markup
	}{
		{"list", "12 timers pending at 10 ms. This tick cost"},
		{"heap", "holds 15 timers. At 5 ms one more is scheduled"},
		{"wheel", "due at 12 ms and goes to slot 12 mod 16 = 12;"},
		{"rounds", "goes to slot 6. The hand passes it 3 times before it fires at 30 ms."},
		{"levels", "span 1, 8 and 64 ms. Timer A, scheduled at 0 ms with a delay of 100 ms, starts at level 2, cascades 2 times and fires at 100 ms."},
		{"systems", "fires 100 ms late in Netty, 208 ms late in Linux at 1,000 ticks a second, 0 ms late in Kafka and 0 ms late in tokio. It cascades 1 time in Kafka and 2 times in tokio"},
	} {
		i := slices.IndexFunc(p.Chapters, func(ch learn.Chapter) bool { return ch.Name == c.chapter })
		var b strings.Builder
		for _, par := range p.Chapters[i].Try {
			for _, part := range par.Parts {
				if part.Control != nil {
					fmt.Fprint(&b, part.Control.Value)
				}
				io.WriteString(&b, part.Text)
			}
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %q\ndoes not contain %q", c.chapter, b.String(), c.want)
		}
	}
}

// What the text says about costs holds for every value of the controls: doubling a heap costs two
// steps more, and 1,000 timers more cost an unsorted list 1,000 steps a tick.
func TestCostsInTheText(t *testing.T) {
	tick := func(name, path string, value int64) int64 {
		t.Helper()
		i := slices.IndexFunc(chapters, func(c chapter) bool { return c.name == name })
		file := string(chapters[i].file())
		old := fmt.Sprintf("%q: %d", path, valueAt(chapters[i].file(), chapters[i].controls[0].Path))
		run := webtest.Open(t, strings.Replace(file, old, fmt.Sprintf("%q: %d", path, value), 1))
		snap, err := run.Seek(t.Context(), sim.EndOf(chapters[i].tick), 0)
		if err != nil {
			t.Fatal(err)
		}
		return snap.Lanes[0].Cost.Tick
	}
	last := int64(0)
	for _, n := range chapters[1].controls[0].Values {
		cost := tick("heap", "count", n)
		if last > 0 && cost != last+2 {
			t.Errorf("a heap of %d timers: %d steps after %d", n, cost, last)
		}
		last = cost
	}
	if a, b := tick("list", "count", 12), tick("list", "count", 1012); b != a+1000 {
		t.Errorf("a list with 1,000 timers more: %d steps after %d", b, a)
	}
}

// The timer that the text follows is found by its name.
func TestTimerOfAChapter(t *testing.T) {
	want := map[string]uint32{"heap": 16, "wheel": 6, "rounds": 1, "levels": 1, "systems": 1}
	for i, p := range programs() {
		if got := chapters[i].timer(p); got != want[chapters[i].name] {
			t.Errorf("%s follows timer %d", chapters[i].name, got)
		}
	}
}
