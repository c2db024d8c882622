package static

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// formatAt lists the functions that make errors for users, each with the index of the argument that is the English
// format: the functions of package texts, and the short names for them in some packages.
var formatAt = map[string]int{
	"texts.Newf": 0, "texts.Errorf": 2, "Newf": 0, "Errorf": 2,
	"scenario.Fault": 1, "Fault": 1, "faultAt": 1, "faultIn": 1, "fault": 0, "refuse": 0, "notFound": 0,
	"phrase": 0, "d.fail": 2, "o.doc.fail": 2, "bad": 1,
}

// Every English format of an error has a translation, and every translation is used.
func TestErrorsAreTranslated(t *testing.T) {
	zh, err := readTexts(messageFiles, "texts/%s/errors/*.json")
	if err != nil {
		t.Fatal(err)
	}
	formats, literals := 0, map[string]bool{}
	for _, root := range []string{"../sim", "../web", "../wheel", "../internal", "../templates"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil {
						literals[text] = true
					}
				case *ast.KeyValueExpr: // of a wheel.ParamError
					if name, ok := n.Key.(*ast.Ident); ok && name.Name == "Want" {
						checkFormat(t, zh["zh"], path, n.Value, &formats)
					}
				case *ast.CallExpr:
					if at, ok := formatAt[string(source[n.Fun.Pos()-1:n.Fun.End()-1])]; ok && at < len(n.Args) {
						checkFormat(t, zh["zh"], path, n.Args[at], &formats)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if formats < 200 {
		t.Errorf("%d formats", formats)
	}
	for key := range zh["zh"] {
		// The JSON package makes the texts about characters and a few others.
		if !literals[key] && !strings.HasPrefix(key, "invalid character %s ") && !slices.Contains([]string{"unexpected EOF", "invalid UTF-8", "exceeded max depth"}, key) {
			t.Errorf("%q is not used", key)
		}
	}
}

// checkFormat reports an error if e is a literal that is not a key of zh and contains words.
func checkFormat(t *testing.T, zh map[string]string, path string, e ast.Expr, formats *int) {
	literal, ok := e.(*ast.BasicLit)
	if !ok {
		return
	}
	format, err := strconv.Unquote(literal.Value)
	if err != nil || format == "%s" || format == "%d" {
		return
	}
	*formats++
	if _, ok := zh[format]; !ok {
		t.Errorf("%s: %q has no translation", path, format)
	}
}
