package errmsg

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// zh are the Chinese messages, and chinese is their catalogue.
var (
	zh      = readChinese()
	chinese = NewCatalogue(zh)
)

func readChinese() map[string]string {
	all := map[string]string{}
	names, _ := filepath.Glob("../../static/texts/zh/errors/*.json")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			panic(err)
		}
	}
	return all
}

// messagePackages are the packages that have messages for users of the page.
var messagePackages = []string{"../../sim", "../../web", "../../wheel", "../site"}

// formatAt maps each function that takes a format to the index of that argument, and phraseAt each
// function that takes a phrase for the expected value.
var formatAt = map[string]int{"fault": 1, "Fault": 1, "fail": 2, "New": 1, "deny": 1, "refuse": 1, "Newf": 0}
var phraseAt = map[string]int{"need": 1, "only": 0}

// files parses the sources of the messagePackages, except for tests.
func files(t *testing.T) []*ast.File {
	t.Helper()
	var list []*ast.File
	for _, dir := range messagePackages {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			list = append(list, f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// literal returns the text of a string literal.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// userMessages returns every format and every phrase for users in the sources.
func userMessages(t *testing.T) (formats, phrases []string) {
	for _, f := range files(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := called(n)
				if at, ok := formatAt[name]; ok && at < len(n.Args) {
					if text, ok := literal(n.Args[at]); ok && strings.Contains(text, " ") {
						formats = append(formats, text)
					}
				}
				if at, ok := phraseAt[name]; ok && at < len(n.Args) {
					if text, ok := literal(n.Args[at]); ok {
						phrases = append(phrases, text)
					}
				}
			case *ast.CompositeLit:
				if typeName(n.Type) == "ParamError" {
					phrases = append(phrases, wanted(n)...)
				}
			}
			return true
		})
	}
	return formats, phrases
}

// typeName returns the name of a type without its package, or "" for other types.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// wanted returns the field Want of a ParamError if it is a literal or formatted by Sprintf.
func wanted(lit *ast.CompositeLit) []string {
	for _, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok || typeName(field.Key) != "Want" {
			continue
		}
		value := field.Value
		if call, ok := value.(*ast.CallExpr); ok && called(call) == "Sprintf" {
			value = call.Args[0]
		}
		if text, ok := literal(value); ok {
			return []string{text}
		}
	}
	return nil
}

// Every message of the sources has a Chinese translation with as many verbs.
func TestCatalogueIsComplete(t *testing.T) {
	formats, phrases := userMessages(t)
	if len(formats) < 80 || len(phrases) < 15 {
		t.Fatalf("%d formats and %d phrases found in the sources: they are looked for in the wrong way", len(formats), len(phrases))
	}
	for _, f := range formats {
		if _, ok := zh[f]; !ok {
			t.Errorf("no Chinese for %q", f)
		}
	}
	for _, p := range phrases {
		if translated := chinese.phrase(strings.ReplaceAll(p, "%d", "7")); translated == strings.ReplaceAll(p, "%d", "7") && p != "cancel" {
			t.Errorf("no Chinese for the phrase %q", p)
		}
	}
}

// A translation has the same verbs as its original: equally many, or each by its number.
func TestTranslationsKeepTheVerbs(t *testing.T) {
	hole := regexp.MustCompile(`%(\[\d+\])?s`)
	for en, words := range zh {
		want, got := len(verb.FindAllString(en, -1)), hole.FindAllString(words, -1)
		if len(got) != want {
			t.Errorf("%q has %d verbs, its Chinese %d: %q", en, want, len(got), words)
		}
		args := make([]any, want)
		for i := range args {
			args[i] = "<" + strconv.Itoa(i) + ">"
		}
		filled := fill(words, args)
		for _, arg := range args {
			if strings.Count(filled, arg.(string)) != 1 {
				t.Errorf("%q is filled as %q", en, filled)
			}
		}
		if !regexp.MustCompile(`\p{Han}`).MatchString(words) && words != "cancel" && words != "workload" {
			t.Errorf("%q has no Chinese: %q", en, words)
		}
	}
}
