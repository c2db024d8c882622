package static

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestPathsLeadBack(t *testing.T) {
	for _, name := range append(append(everyModule(), Styles()...), "icon.svg") {
		got, ok := Name(Path(name))
		if !ok || got != name {
			t.Errorf("%s is served at %s, which is %q, %v", name, Path(name), got, ok)
		}
		if _, err := fs.Stat(FS(), name); err != nil {
			t.Error(err)
		}
	}
	for _, p := range []string{"", "static", "static/000000000000/js/app.js", "static/" + Hash() + "/", "js/app.js"} {
		if name, ok := Name(p); ok {
			t.Errorf("%q is taken for %q", p, name)
		}
	}
}

// everyModule returns every script except third-party libraries.
func everyModule() []string {
	return slices.DeleteFunc(named("js/", ".js"), func(name string) bool { return strings.HasPrefix(name, "js/vendor/") })
}

// TestModulesWithoutDOM checks the modules that may be used without a page.
func TestModulesWithoutDOM(t *testing.T) {
	for _, name := range []string{"core/protocol", "core/texts", "entry/clock", "picture/face", "picture/form", "picture/frame", "picture/scene", "story/instant", "entry/track", "picture/unrolled", "picture/work",
		"core/times", "state/activity", "state/fold", "state/lane-state", "state/store", "state/words",
		"picture/spots", "story/formulas", "story/event", "story/sentence", "story/step", "story/why"} {
		if m := regexp.MustCompile(`\b(document|window|localStorage)\b`).FindString(strings.ReplaceAll(read(t, "js/"+name+".js"), "/window.js", "")); m != "" {
			t.Errorf("js/%s.js uses %s", name, m)
		}
	}
}

func TestEveryModuleIsTypeChecked(t *testing.T) {
	for _, name := range everyModule() {
		if !strings.HasPrefix(read(t, name), "// @ts-check\n/**") {
			t.Errorf("%s does not begin with // @ts-check and a comment that says what it is", name)
		}
	}
}

func TestNothingComesFromElsewhere(t *testing.T) {
	far := regexp.MustCompile(`https?://[^\s"')]+`)
	for _, name := range append(everyModule(), Styles()...) {
		for _, m := range far.FindAllString(read(t, name), -1) {
			if m != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", name, m)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(FS(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
