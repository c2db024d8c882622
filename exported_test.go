package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Limits of the exported names of package wheel.
const (
	wheelTopMax = 100 // number of constants, variables, functions and types
	wheelAllMax = 350 // the same number with exported fields and methods
)

// publicAPI are the folders of packages for other programs. A name in them counts as used if an
// Example of its package, the comment of another name or a page for users mentions it.
var publicAPI = []string{"wheel/timer", "wheel/rediswheel", "wheel/wheeltest", "wheel/scheme", "wheel/system", "wheel/port"}

// documented are names of packages for users that the project itself does not use, with the reason
// why users need them.
var documented = []struct{ dir, reason, names string }{
	{"wheel/wheeltest", "options of Run and Check", "Allow RealTime Scenarios Seed"},
	{"wheel/wheeltest", "interfaces that a library may implement", "Drainer Keyed Mover Repeater Resetter WallStepper Shutdowner StopWaiter"},
	{"wheel/wheeltest", "the bound of Result.Ops", "OpsMax"},
	{"wheel/rediswheel", "bounds that callers can check before they call", "URLMax HeaderMax HandlerMax TimeoutMax FilterMax DueMin DueMax"},
	{"wheel/rediswheel/worker", "bounds that callers can check before they call", "DeadMaxMax RetryAfterMax PermanentStatusMax SecretsMax HandlersMax NetsMax DurationMax"},
	{"wheel/rediswheel", "bounds of what Stats returns", "MinutesMax OverdueAfter WorkerSilence"},
	{"wheel/rediswheel/worker", "headers of a callback, for receivers in Go", "HeaderAttempt HeaderDue"},
	{"wheel/rediswheel", "outcomes in a worker's figures", "Deferred Released Refused"},
	{"wheel/rediswheel", "errors for errors.Is", "ErrTooOld ErrFormat"},
	{"wheel/rediswheel/worker", "errors for errors.Is and errors.As", "ErrPermanent ErrPrivate StatusError"},
	{"wheel/rediswheel/worker", "the default of Options.PermanentStatus, to add to", "PermanentStatusDefault"},
	{"wheel/rediswheel", "records in Redis, for tools", "ReadRecord"},
	{"wheel/timer", "options and their values", "Pool WithMaxPending WithOnLate"},
	{"wheel/rediswheel/signature", "for receivers that do not use VerifyRequest", "HeaderTimestamp HeaderSignature Tolerance BodyMax SignaturesMax ErrInvalid Verify"},
}

// goFile is a parsed file of the project.
type goFile struct {
	dir, name string
	syntax    *ast.File
}

// parseProject parses the Go files of the project, including those of nested modules.
func parseProject(t *testing.T, fset *token.FileSet) []goFile {
	t.Helper()
	var files []goFile
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || len(name) > 1 && strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		syntax, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, goFile{filepath.ToSlash(filepath.Dir(name)), filepath.Base(name), syntax})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// api is the exported part of a package.
type api struct {
	top      []string
	members  int             // exported names, including fields and methods
	declared map[string]bool // names that occur in the declarations of other exported names
	comments string          // comments of all exported names
}

// apiOf returns the exported part of the package with the given files.
func apiOf(t *testing.T, fset *token.FileSet, files []*ast.File) api {
	t.Helper()
	p, err := doc.NewFromFiles(fset, files, "p", doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	a := api{declared: map[string]bool{}}
	a.comments = p.Doc
	a.values("", p.Consts, p.Vars)
	a.functions(p.Funcs)
	for _, typ := range p.Types {
		a.top = append(a.top, typ.Name)
		a.comments += typ.Doc
		a.fields(typ)
		a.functions(typ.Funcs)
		a.values(typ.Name, typ.Consts, typ.Vars)
		for _, m := range typ.Methods {
			a.members++
			a.comments += m.Doc
			a.mention(m.Decl.Type, typ.Name)
		}
	}
	return a
}

// values adds constants and variables. Those of a type belong to its declaration.
func (a *api) values(typ string, groups ...[]*doc.Value) {
	for _, v := range slices.Concat(groups...) {
		a.comments += v.Doc
		for _, name := range v.Names {
			if !ast.IsExported(name) {
				continue
			}
			a.top = append(a.top, name)
			if typ != "" {
				a.declared[name] = true
			}
		}
	}
}

// functions adds functions.
func (a *api) functions(funcs []*doc.Func) {
	for _, f := range funcs {
		a.top = append(a.top, f.Name)
		a.comments += f.Doc
		a.mention(f.Decl.Type, "")
	}
}

// fields adds the fields and the interface methods of a type.
func (a *api) fields(typ *doc.Type) {
	for _, spec := range typ.Decl.Specs {
		spec := spec.(*ast.TypeSpec)
		var list *ast.FieldList
		switch t := spec.Type.(type) {
		case *ast.StructType:
			list = t.Fields
		case *ast.InterfaceType:
			list = t.Methods
		default:
			a.mention(spec.Type, typ.Name)
			continue
		}
		for _, f := range list.List {
			if len(f.Names) == 0 { // embedded
				a.mention(f.Type, typ.Name)
			}
			for _, name := range f.Names {
				if name.IsExported() {
					a.members++
					a.mention(f.Type, typ.Name)
				}
			}
		}
	}
}

// mention records the names in a declaration, except that of the type it belongs to.
func (a *api) mention(n ast.Node, except string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != except {
			a.declared[id.Name] = true
		}
		return true
	})
}

// uses records the names of other packages of the project that a file uses, as "path.Name". For a
// file of Examples it also records the names of the file's own package.
func (f *goFile) uses(used map[string]bool) {
	names := map[string]string{}
	for _, i := range f.syntax.Imports {
		at, err := strconv.Unquote(i.Path.Value)
		dir, inModule := strings.CutPrefix(at, module+"/")
		if err != nil || !inModule || dir == f.dir && f.name != "example_test.go" {
			continue
		}
		name := dir[strings.LastIndexByte(dir, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = dir
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
				used[names[x.Name]+"."+s.Sel.Name] = true
			}
		}
		return true
	})
}

// pagesForUsers returns the text of README.md, SECURITY.md and docs/*.md.
func pagesForUsers(t *testing.T) string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range append(pages, "README.md", "SECURITY.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

// Package wheel stays small. Every name that a package under wheel/ exports is used outside of the
// package, is part of the declaration of another name, or is documented for users.
func TestExportedNames(t *testing.T) {
	fset := token.NewFileSet()
	used, packages := map[string]bool{}, map[string][]*ast.File{}
	for _, f := range parseProject(t, fset) {
		f.uses(used)
		if strings.HasPrefix(f.dir+"/", "wheel/") && !strings.HasSuffix(f.name, "_test.go") && f.syntax.Name.Name != "main" &&
			!strings.HasPrefix(f.dir, "wheel/wheeltest/peers") {
			packages[f.dir] = append(packages[f.dir], f.syntax)
		}
	}
	if len(packages) < 30 {
		t.Fatalf("%d packages under wheel", len(packages))
	}
	pages, found := pagesForUsers(t), map[string]bool{}
	for dir, files := range packages {
		a := apiOf(t, fset, files)
		if all := len(a.top) + a.members; dir == "wheel" {
			t.Logf("package wheel exports %d names at top level, %d in all", len(a.top), all)
			if len(a.top) > wheelTopMax || all > wheelAllMax {
				t.Errorf("package wheel may export %d names at top level and %d in all", wheelTopMax, wheelAllMax)
			}
		}
		public := slices.ContainsFunc(publicAPI, func(p string) bool { return strings.HasPrefix(dir+"/", p+"/") }) && !strings.Contains(dir, "internal")
		for _, name := range a.top {
			id := dir + "." + name
			found[id] = true
			word := regexp.MustCompile(`\[` + name + `[\].]|\b` + dir[strings.LastIndexByte(dir, '/')+1:] + `\.` + name + `\b`)
			if used[id] || a.declared[name] || public && (word.MatchString(a.comments) || word.MatchString(pages)) {
				continue
			}
			if !isDocumented(dir, name) {
				t.Errorf("%s is not used outside of its package", id)
			}
		}
	}
	for _, d := range documented {
		for _, name := range strings.Fields(d.names) {
			if id := d.dir + "." + name; !found[id] {
				t.Errorf("%s is in the list of documented names, but is not exported", id)
			}
		}
	}
}

// isDocumented reports whether a name is in the list of documented names.
func isDocumented(dir, name string) bool {
	for _, d := range documented {
		if d.dir == dir && slices.Contains(strings.Fields(d.names), name) {
			return true
		}
	}
	return false
}
