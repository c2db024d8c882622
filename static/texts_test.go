package static

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// argument matches the names of arguments in a text.
var argument = regexp.MustCompile(`\{(\w+)`)

// argumentsOf returns the names of the arguments of a text, sorted.
func argumentsOf(text string) (names []string) {
	for _, m := range argument.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

// Every text is in all languages, with the same arguments.
func TestTextsAreWhole(t *testing.T) {
	for what, of := range map[string]func(string) texts.Catalogue{"page": Texts, "messages": lazyTexts(messageFiles, "texts/%s/messages/*.json"), "article": Article} {
		for _, lang := range Languages {
			for key, text := range of(lang) {
				en, ok := of("en")[key]
				if !ok || strings.TrimSpace(text) == "" {
					t.Errorf("%s: %s is in %s only, or empty", what, key, lang)
				}
				if got, want := argumentsOf(text), argumentsOf(en); !slices.Equal(got, want) {
					t.Errorf("%s: %s has the arguments %v in %s and %v in English", what, key, got, lang, want)
				}
			}
			if got, want := len(of(lang)), len(of("en")); got != want {
				t.Errorf("%s: %d texts in %s, %d in English", what, got, lang, want)
			}
		}
	}
	for key := range Texts("en") {
		if _, ok := Messages("en")[key]; ok {
			t.Errorf("%s is a text of pages and one of messages", key)
		}
	}
}

// Every text of pages that modules and templates use exists, and every text is used.
func TestTextsOfPages(t *testing.T) {
	source := sources(t)
	for key := range Texts("en") {
		if !strings.Contains(source, `"`+key+`"`) && !stemUsed(source, key) && !variantUsed(source, key) && !numberedUsed(source, key) {
			t.Errorf("the text %s is unused", key)
		}
	}
	calls := 0
	for _, m := range regexp.MustCompile(`\b[tT]\("([a-z][a-zA-Z.]*)"(, \{)?`).FindAllStringSubmatchIndex(source, -1) {
		key := source[m[2]:m[3]]
		text, ok := Texts("en")[key]
		if !ok && !strings.HasSuffix(key, ".") {
			t.Errorf("the text %s does not exist", key)
		}
		if m[4] < 0 {
			continue
		}
		calls++
		given, whole := propertiesOf(source[m[5]:])
		for _, name := range argumentsOf(text) {
			if whole && !slices.Contains(given, name) {
				t.Errorf("a script makes the text %s without %s, with %v", key, name, given)
			}
		}
	}
	if calls < 50 {
		t.Errorf("%d calls with arguments", calls)
	}
}

// Strings in scripts and templates that look like keys of texts, such as those in lists of columns, are keys.
func TestKeysInListsExist(t *testing.T) {
	subjects := map[string]bool{}
	var keys strings.Builder
	for key := range Texts("en") {
		subject, _, _ := strings.Cut(key, ".")
		subjects[subject] = true
		keys.WriteString("\n" + key)
	}
	for _, m := range regexp.MustCompile(`"(([a-z]+)(?:\.[a-z][a-zA-Z]*)+)"`).FindAllStringSubmatch(sources(t), -1) {
		if subjects[m[2]] && !strings.HasSuffix(m[1], ".json") && !strings.Contains(keys.String(), "\n"+m[1]) {
			t.Errorf("the text %s does not exist", m[1])
		}
	}
}

// propertiesOf returns the names of the properties of a JavaScript object literal, whose source
// begins after its brace. It reports whether these are all, because the literal has no spread.
func propertiesOf(source string) (names []string, whole bool) {
	depth, from := 0, 0
	for i, r := range source {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			if r == ',' && depth > 0 {
				continue
			}
			if depth > 0 {
				depth--
				continue
			}
			name, _, _ := strings.Cut(source[from:i], ":")
			if names = append(names, strings.TrimSpace(name)); r != ',' {
				return names, !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "...") })
			}
			from = i + 1
		}
	}
	return names, false
}

// stemUsed reports whether a key consists of a stem in the sources and a word that is appended at
// run time.
func stemUsed(source, key string) bool {
	stem := key[:strings.LastIndex(key, ".")+1]
	return stem != "" && (strings.Contains(source, "`"+stem+"${") || strings.Contains(source, `"`+stem+`"+`) || strings.Contains(source, `"`+stem+`" +`))
}

// variantUsed reports whether a key is that of another text followed by an algorithm or a shape.
// js/story/why.js uses the most specific one that exists.
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

// numberedUsed reports whether a key is a used key followed by an algorithm and a number, for a
// rule whose timers can die in two ways (js/story/why.js).
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
	for _, pattern := range []string{"../templates/*.templ", "../templates/*.go", "../templates/*/*.templ", "../templates/*/*.go"} {
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

// TestOneWordForOneThing checks that things which the page names in many places have one Chinese
// name each, and that a finding is not called the same as a question.
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

func TestTextInTwoFilesIsRefused(t *testing.T) {
	one := &fstest.MapFile{Data: []byte(`{"keys": "Keys"}`)}
	files := fstest.MapFS{"texts/en/a.json": one}
	if all, err := readTexts(files, "texts/%s/*.json"); err != nil || !maps.Equal(all["en"], texts.Catalogue{"keys": "Keys"}) {
		t.Errorf("%v, %v", all, err)
	}
	files["texts/en/b.json"] = one
	if _, err := readTexts(files, "texts/%s/*.json"); err == nil {
		t.Error("a key in two files is taken")
	}
}

func TestTextsFallBackOnEnglish(t *testing.T) {
	if Texts("xx")["keys"] != Texts("en")["keys"] || Texts("zh")["keys"] == Texts("en")["keys"] {
		t.Error("an unknown language is not English, or Chinese is")
	}
	failed := texts.Newf("the server failed; see its log")
	if en, zh := failed.In(Messages("en")), failed.In(Messages("zh")); en != failed.String() || zh == en || failed.In(Messages("xx")) != en {
		t.Errorf("%q, %q", en, zh)
	}
}
