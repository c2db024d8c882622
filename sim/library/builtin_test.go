package library

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/wheelscope/wheelscope/sim/scenario"
)

// checkBothLanguages checks that a text has an English and a Chinese version that differ.
func checkBothLanguages(t *testing.T, what string, text scenario.Text) {
	t.Helper()
	en, zh := text.In("en"), text.In("zh")
	han := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	if len(text.Langs) != 2 || han(en) || !han(zh) {
		t.Errorf("%s: en %q, zh %q", what, en, zh)
	}
}

// TestBuiltinNamesAreTheFiles checks that every file is listed exactly once.
func TestBuiltinNamesAreTheFiles(t *testing.T) {
	files, err := fs.Glob(scenarioFiles, "scenarios/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "scenarios/"), ".json"))
	}
	offered := slices.Sorted(slices.Values(builtinNames()))
	if !slices.Equal(offered, names) {
		t.Errorf("offered %q\nfiles %q", offered, names)
	}
	if builtinNames()[0] != "ten-slots" {
		t.Errorf("%s is shown first", builtinNames()[0])
	}
}

func TestTextIn(t *testing.T) {
	both := scenario.Text{Langs: []scenario.LangText{{Lang: "en", Text: "wheel"}, {Lang: "zh", Text: "轮"}}}
	for _, c := range []struct {
		text scenario.Text
		lang string
		want string
	}{
		{both, "zh", "轮"}, {both, "en", "wheel"}, {both, "de", "wheel"},
		{scenario.Text{Plain: "Rad"}, "zh", "Rad"},
		{scenario.Text{Langs: []scenario.LangText{{Lang: "de", Text: "Rad"}}}, "en", "Rad"},
		{scenario.Text{}, "en", ""},
	} {
		if got := c.text.In(c.lang); got != c.want {
			t.Errorf("%+v in %s is %q, want %q", c.text, c.lang, got, c.want)
		}
	}
}

// Every built-in scenario is in the list if the program links all algorithms.
func TestBuiltinsAreComplete(t *testing.T) {
	if n := len(Builtins()); n != len(builtinNames()) {
		t.Errorf("%d scenarios, want %d", n, len(builtinNames()))
	}
}
