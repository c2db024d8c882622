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

// TestMessages checks the keys of messages in the sources: each exists, is made with every
// argument that its text names, and no text is unused.
func TestMessages(t *testing.T) {
	use := &messageUse{t: t, literals: map[string]bool{}}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".." {
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
	if use.calls < 30 {
		t.Errorf("%d messages in the sources", use.calls)
	}
}

// messageUse collects the string literals of files that make messages.
type messageUse struct {
	t        *testing.T
	literals map[string]bool
	calls    int
}

func (u *messageUse) read(path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		u.t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		keys, calls := literalsOf(f), messageCalls(f)
		u.calls += len(calls)
		for key := range keys {
			u.literals[key] = true
		}
		for _, c := range calls {
			delete(keys, text(c.Args[0])) // those left are the values of variables
		}
		for _, c := range calls {
			u.check(path, c, keys)
		}
	}
}

// check checks a call of texts.Of. If its key is a variable, it may be any of the keys.
func (u *messageUse) check(path string, c *ast.CallExpr, keys map[string]bool) {
	if key := text(c.Args[0]); key != "" {
		keys = map[string]bool{key: true}
		if _, ok := Messages("en")[key]; !ok {
			u.t.Errorf("%s: the text %s does not exist", path, key)
		}
	} else if _, ok := c.Args[0].(*ast.Ident); !ok {
		return // a stem and what follows it: such texts take what the others do
	}
	given := map[string]bool{}
	for i := 1; i < len(c.Args); i += 2 {
		given[text(c.Args[i])] = true
	}
	for key := range keys {
		for _, m := range regexp.MustCompile(`\{(\w+)`).FindAllStringSubmatch(Messages("en")[key], -1) {
			if !given[m[1]] {
				u.t.Errorf("%s: the text %s is made without %s", path, key, m[1])
			}
		}
	}
}

// messageCalls returns the calls of texts.Of in a function.
func messageCalls(f *ast.FuncDecl) (calls []*ast.CallExpr) {
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Of" {
				if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "texts" {
					calls = append(calls, c)
				}
			}
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
