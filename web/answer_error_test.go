package web

import (
	"strings"
	"testing"
	"unicode"
)

// Every question over HTTP that can't be answered gets a one-line error in the language of the
// request. It contains the same description of the problem in every language.
func TestRefusalsAreInTheLanguage(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for _, c := range []struct{ path, keeps string }{
			{"/api/compare?run=nothing", `"nothing"`},
			{"/api/costs?run=" + run + "&from=x&to=3", `"x"`},
			{"/api/costs?run=" + run + "&from=9&to=3", "9"},
			{"/api/step?run=" + run + "&seq=x", "seq"},
			{"/api/lecture?name=none", `"none"`},
			{"/api/quiz?run=" + run + "&t=soon&n=0&seed=a", `"soon"`},
			{"/api/quiz?run=" + run + "&t=1&n=-1&seed=a", `"-1"`},
			{"/api/quiz?run=" + run + "&t=1&n=1&seed=" + strings.Repeat("a", 300), "300"},
			{"/algorithms/none?", `"none"`},
			{"/trace?run=" + run + "&as=tape", `"tape"`},
			{"/nowhere?", `"/nowhere"`},
			{"/ws?session=gone", ""},
		} {
			en, zh := h.get(c.path+"&lang=en"), h.get(c.path+"&lang=zh")
			if en.code != zh.code || en.code < 400 {
				t.Errorf("%s: %d in English, %d in Chinese", c.path, en.code, zh.code)
			}
			if han(en.body) || !han(zh.body) || strings.Count(zh.body, "\n") != 1 {
				t.Errorf("%s:\n%s%s", c.path, en.body, zh.body)
			}
			if !strings.Contains(en.body, c.keeps) || !strings.Contains(zh.body, c.keeps) {
				t.Errorf("%s: %q is not in\n%s%s", c.path, c.keeps, en.body, zh.body)
			}
		}
	})
}

// A request without Accept-Language is answered in English; a browser's preference is honoured.
func TestRefusalsFollowTheHeader(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if a := h.get("/nowhere"); han(a.body) {
			t.Errorf("without a wish: %s", a.body)
		}
		if a := h.get("/nowhere", "Accept-Language", "zh-CN,zh;q=0.9"); !han(a.body) {
			t.Errorf("asked for Chinese: %s", a.body)
		}
	})
}

// han reports whether a text contains Chinese characters.
func han(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
