package static

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every text whose key is in Go code exists and is used with exactly its arguments, and every
// message is used.
func TestTextsOfGo(t *testing.T) {
	use := &textUse{t: t, literals: map[string]bool{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".." {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			use.read(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range named("knowledge/", ".json") {
		for _, m := range regexp.MustCompile(`: "([a-z.]+)"`).FindAllStringSubmatch(read(t, name), -1) {
			use.literals[m[1]] = true // a text that several algorithms share
		}
	}
	for key := range Messages("en") {
		if stem := key[:strings.LastIndex(key, ".")+1]; !use.literals[key] && !use.literals[stem] {
			t.Errorf("the text %s is unused", key)
		}
	}
	if use.calls < 200 {
		t.Errorf("%d texts in the sources", use.calls)
	}
}

// textUse collects the string literals of files that make messages.
type textUse struct {
	t        *testing.T
	literals map[string]bool
	calls    int
}

func (u *textUse) read(path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		u.t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		keys, calls := literalsOf(f), textCalls(f)
		u.calls += len(calls)
		for key := range keys {
			u.literals[key] = true
		}
		for _, c := range calls {
			delete(keys, text(c.Args[0])) // the remaining keys are values of variables
		}
		for _, c := range calls {
			u.check(path, c, keys)
		}
	}
}

// check checks a call of [textCalls]. If its key is a variable, it may be any of the keys.
func (u *textUse) check(path string, c *ast.CallExpr, keys map[string]bool) {
	of := Messages("en")
	if c.Fun.(*ast.SelectorExpr).Sel.Name == "T" {
		of = Texts("en")
	}
	if key := text(c.Args[0]); key != "" {
		keys = map[string]bool{key: true}
		if _, ok := of[key]; !ok {
			u.t.Errorf("%s: the text %s does not exist", path, key)
		}
	} else if _, ok := c.Args[0].(*ast.Ident); !ok {
		return // the key is a stem that is completed at run time; such texts have the arguments of the others
	}
	given := map[string]bool{}
	for i := 1; i < len(c.Args); i += 2 {
		given[text(c.Args[i])] = true
	}
	for key := range keys {
		for _, name := range argumentsOf(of[key]) {
			if !given[name] {
				u.t.Errorf("%s: the text %s is made without %s", path, key, name)
			}
		}
	}
}

// textCalls returns the calls in a function of texts.Of, which makes a message, and of
// [texts.Catalogue.T], which is used for texts of pages.
func textCalls(f *ast.FuncDecl) (calls []*ast.CallExpr) {
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return true
		}
		s, ok := c.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "texts" && s.Sel.Name == "Of" || s.Sel.Name == "T" {
			calls = append(calls, c)
		}
		return true
	})
	return calls
}

// literalsOf returns the string literals of a function.
func literalsOf(f *ast.FuncDecl) map[string]bool {
	all := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && text(e) != "" {
			all[text(e)] = true
		}
		return true
	})
	return all
}

// text returns the value of a string literal, or "" for another expression.
func text(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}
