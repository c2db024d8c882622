package static

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wheelscope/wheelscope/internal/texts"
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

// everyModule is every script but the libraries of others.
func everyModule() []string {
	return slices.DeleteFunc(named("js/", ".js"), func(name string) bool { return strings.HasPrefix(name, "js/vendor/") })
}

// These modules may be used without a page.
func TestModulesWithoutDOM(t *testing.T) {
	for _, name := range []string{"core/protocol", "core/texts", "core/times", "state/activity", "state/fold", "state/lane-state", "state/life-places", "state/store", "state/trace", "state/words",
		"picture/geometry", "picture/spots", "page/speeds", "story/facts", "story/formulas", "story/formulas-counted", "story/formulas-systems", "story/narrate", "story/order", "story/step", "story/why"} {
		if m := regexp.MustCompile(`\b(document|window|localStorage)\b`).FindString(read(t, "js/"+name+".js")); m != "" {
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

// eachText calls f with every key and its text in each language.
func eachText(t *testing.T, f func(key string, text map[string]string)) {
	t.Helper()
	seen := map[string]bool{}
	for _, of := range []func(string) texts.Catalogue{Texts, Messages} {
		for key := range of(Languages[0]) {
			text := map[string]string{}
			for _, lang := range Languages {
				text[lang] = of(lang)[key]
			}
			if seen[key] {
				t.Errorf("%s is a text of pages and one of messages", key)
			}
			seen[key] = true
			f(key, text)
		}
	}
}

func TestTextsAreWhole(t *testing.T) {
	names := regexp.MustCompile(`\{\w+\}`)
	eachText(t, func(key string, text map[string]string) {
		first := names.FindAllString(text["en"], -1)
		slices.Sort(first)
		for _, lang := range Languages {
			if strings.TrimSpace(text[lang]) == "" {
				t.Errorf("%s has no text in %s", key, lang)
			}
			own := names.FindAllString(text[lang], -1)
			if slices.Sort(own); !slices.Equal(own, first) {
				t.Errorf("%s names %v in %s and %v in en", key, own, lang, first)
			}
		}
	})
}

// TestOneWordForOneThing: a thing that the page names in many places has one Chinese name, and
// a finding is not called what a question is.
func TestOneWordForOneThing(t *testing.T) {
	for english, chinese := range map[string]string{`(?i)\bcosts?\b`: "代价", `(?i)\bfindings?\b`: "缺陷", `(?i)\bbe a lane\b|\bas a lane\b`: "泳道"} {
		thing := regexp.MustCompile(english)
		for key, en := range Texts("en") {
			if zh := Texts("zh")[key]; thing.MatchString(en) && !strings.Contains(zh, chinese) {
				t.Errorf("%s: %q is %q, without %s", key, en, zh, chinese)
			}
		}
	}
}

func TestEveryTextIsUsedAndThere(t *testing.T) {
	source := sources(t)
	for key := range Texts("en") {
		if !strings.Contains(source, `"`+key+`"`) && !stemUsed(source, key) && !variantUsed(source, key) && !numberedUsed(source, key) {
			t.Errorf("text %s is used nowhere", key)
		}
	}
	for _, m := range regexp.MustCompile(`\b[tT]\("([a-z][a-z.]*)"`).FindAllStringSubmatch(source, -1) {
		if _, ok := Texts("en")[m[1]]; !ok && !strings.HasSuffix(m[1], ".") {
			t.Errorf("text %s is used but not there", m[1])
		}
	}
}

// stemUsed says whether a key is made of a stem and a word that is joined to it.
func stemUsed(source, key string) bool {
	stem := key[:strings.LastIndex(key, ".")+1]
	return stem != "" && (strings.Contains(source, "`"+stem+"${") || strings.Contains(source, `"`+stem+`"+`) || strings.Contains(source, `"`+stem+`" +`))
}

// variantUsed says whether a key is that of another text with an algorithm or a shape
// behind it: the nearest of those is taken (js/story/why.js).
func variantUsed(source, key string) bool {
	cut := strings.LastIndex(key, ".")
	if cut < 0 || !strings.Contains(source, `"`+key[:cut]+`"`) {
		return false
	}
	word := key[cut+1:]
	if slices.Contains([]string{"ring", "list", "heap"}, word) {
		return true
	}
	_, err := fs.Stat(FS(), "knowledge/"+word+".json")
	return err == nil
}

// numberedUsed says whether a key is that of a text that is joined to a word, with an
// algorithm and a number behind it: a rule that dies in two ways (js/story/why.js).
func numberedUsed(source, key string) bool {
	m := regexp.MustCompile(`^(.+\.\w+)\.(\w+)\.\d+$`).FindStringSubmatch(key)
	if m == nil || !stemUsed(source, m[1]) {
		return false
	}
	_, err := fs.Stat(FS(), "knowledge/"+m[2]+".json")
	return err == nil
}

// sources is the text of every module and template.
func sources(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, name := range everyModule() {
		b.WriteString(read(t, name))
	}
	for _, pattern := range []string{"../templates/*.templ", "../templates/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(files))
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_templ.go") || strings.HasSuffix(f, "_test.go") {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
	}
	return b.String()
}

func TestTextInTwoFilesIsRefused(t *testing.T) {
	one := &fstest.MapFile{Data: []byte(`{"keys": {"en": "Keys", "zh": "按键"}}`)}
	if _, err := readTexts(fstest.MapFS{"texts/a.json": one, "texts/b.json": one}, "texts/*.json"); err == nil {
		t.Error("a key in two files is taken")
	}
}

func TestTextsFallBackOnEnglish(t *testing.T) {
	if Texts("xx")["keys"] != Texts("en")["keys"] || Texts("zh")["keys"] == Texts("en")["keys"] {
		t.Error("an unknown language is not English, or Chinese is")
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
