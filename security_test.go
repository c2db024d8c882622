package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// limitFiles are the files, by package name, whose numeric constants are limits listed in
// SECURITY.md. Add a file here when it gets limits.
var limitFiles = map[string][]string{
	"web":       {"web/limits.go"},
	"view":      {"web/view/limits.go"},
	"question":  {"web/question/limits.go"},
	"api":       {"web/api/limits.go"},
	"session":   {"web/session/limits.go"},
	"protocol":  {"web/session/protocol/limits.go"},
	"sim":       {"sim/chunk_cache.go", "sim/run_block.go", "sim/run_memory.go", "sim/store.go", "sim/store_plan.go", "sim/store_reclaim.go"},
	"cursor":    {"sim/cursor/activity.go", "sim/cursor/runner.go", "sim/cursor/throttle.go"},
	"tracefile": {"sim/tracefile/limits.go"},
	"program":   {"sim/program/program_limits.go"},
	"scenario":  {"sim/scenario/decode_options.go", "sim/scenario/limits.go"},
	"importer":  {"sim/importer/importer.go"},
	"picture":   {"internal/picture/picture.go"},
	"wheel":     {"wheel/observable.go"},
	"budget":    {"internal/budget/system.go"},
	"fairqueue": {"internal/fairqueue/fairqueue.go"},
	"serve":     {"internal/cli/serve/serve.go", "internal/cli/serve/memory.go"},
}

// notLimits are constants of these files that are not limits.
var notLimits = map[string]bool{
	"picture.WidthDefault":  true,
	"picture.side":          true,
	"picture.above":         true,
	"cursor.lateFrameScore": true,
	"cursor.FrameInterval":  true, // a frame rate, by which StrideMax is divided
	"cursor.defaultRate":    true,
}

// limit is one constant of a limit file.
type limit struct {
	value   constant.Value
	comment string
}

// constants evaluates numeric constants of the project's packages without compiling them.
type constants struct {
	t        *testing.T
	packages map[string]map[string]ast.Expr // expressions by name, by directory
}

// directories are those of packages that limits refer to.
var directories = map[string]string{
	"cursor":    "sim/cursor",
	"importer":  "sim/importer",
	"program":   "sim/program",
	"protocol":  "web/session/protocol",
	"scenario":  "sim/scenario",
	"tracefile": "sim/tracefile",
	"sim":       "sim",
	"templates": "templates",
	"web":       "web",
	"wheel":     "wheel",
}

// units are the constants of package time.
var units = map[string]time.Duration{"Nanosecond": 1, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}

// in returns the constants of a directory's files other than tests.
func (c *constants) in(dir string) map[string]ast.Expr {
	c.t.Helper()
	if known, ok := c.packages[dir]; ok {
		return known
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		c.t.Fatalf("%s: no sources, %v", dir, err)
	}
	found := map[string]ast.Expr{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		eachConstant(c.t, name, func(name, _ string, value ast.Expr) { found[name] = value })
	}
	c.packages[dir] = found
	return found
}

// eachConstant calls f with every constant of a file that has an expression of its own.
func eachConstant(t *testing.T, name string, f func(name, comment string, value ast.Expr)) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			spec := s.(*ast.ValueSpec)
			for i, value := range spec.Values {
				f(spec.Names[i].Name, strings.TrimSpace(spec.Comment.Text()), value)
			}
		}
	}
}

// eval returns the value of an expression in a directory's package; nil if it is not a number.
func (c *constants) eval(dir string, e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(e.Value, e.Kind, 0); v.Kind() == constant.Int || v.Kind() == constant.Float {
			return v
		}
	case *ast.ParenExpr:
		return c.eval(dir, e.X)
	case *ast.Ident:
		if value, ok := c.in(dir)[e.Name]; ok {
			return c.eval(dir, value)
		}
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name
		if unit, ok := units[e.Sel.Name]; ok && name == "time" {
			return constant.MakeInt64(int64(unit))
		}
		if other, ok := directories[name]; ok {
			return c.eval(other, e.Sel)
		}
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 {
			return c.eval(dir, e.Args[0])
		}
	case *ast.BinaryExpr:
		return binary(c.eval(dir, e.X), c.eval(dir, e.Y), e.Op)
	}
	return nil
}

func binary(x, y constant.Value, op token.Token) constant.Value {
	switch {
	case x == nil || y == nil:
		return nil
	case op == token.SHL || op == token.SHR:
		n, _ := constant.Uint64Val(y)
		return constant.Shift(x, op, uint(n))
	case op == token.QUO:
		op = token.QUO_ASSIGN // integers are divided as in Go
	}
	return constant.BinaryOp(x, op, y)
}

// limits reads the constants of the limit files.
func limits(t *testing.T) map[string]limit {
	t.Helper()
	all, excluded := map[string]limit{}, 0
	c := &constants{t: t, packages: map[string]map[string]ast.Expr{}}
	for name, files := range limitFiles {
		for _, file := range files {
			eachConstant(t, file, func(constName, comment string, value ast.Expr) {
				if notLimits[name+"."+constName] {
					excluded++
					return
				}
				if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					return
				}
				v := c.eval(filepath.Dir(file), value)
				if v == nil {
					t.Errorf("%s: the value of %s can't be evaluated by this test", file, constName)
					return
				}
				all[name+"."+constName] = limit{v, comment}
			})
		}
	}
	if excluded != len(notLimits) {
		t.Errorf("%d of the %d constants of notLimits exist", excluded, len(notLimits))
	}
	return all
}

var limitRow = regexp.MustCompile("^\\| `([a-z]+\\.[A-Za-z]+)` \\| ([0-9.,]+)( [A-Za-z]+)? \\| (\\S.*) \\|$")

// scales are the units in which SECURITY.md writes values.
var scales = map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "ms": int64(time.Millisecond), "s": int64(time.Second), "min": int64(time.Minute), "h": int64(time.Hour)}

// The tables of SECURITY.md have every limit of the code with its value, and no other.
func TestSecurityListsEveryLimit(t *testing.T) {
	data, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	want, listed := limits(t), map[string]bool{}
	if len(want) < 60 {
		t.Fatalf("%d limits are found in the sources", len(want))
	}
	_, tables, ok := strings.Cut(string(data), "\n## Limits\n")
	if !ok {
		t.Fatal("no section Limits")
	}
	for line := range strings.Lines(tables) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		m := limitRow.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			t.Errorf("not a row | `package.Name` | value | meaning |: %s", line)
			continue
		}
		name, unit := m[1], strings.TrimSpace(m[3])
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
		scale, ok := scales[unit]
		l, known := want[name]
		switch {
		case listed[name]:
			t.Errorf("%s is listed twice", name)
		case !known:
			t.Errorf("%s is listed, and no constant of %v", name, limitFiles)
		case err != nil || !ok:
			t.Errorf("%s: %s %s is not a number with one of the units %v", name, m[2], unit, scales)
		case n*float64(scale) != float(l.value):
			t.Errorf("%s is %s, SECURITY.md says %s %s", name, l.value, m[2], unit)
		}
		listed[name] = true
	}
	for name, l := range want {
		if !listed[name] {
			t.Errorf("missing in SECURITY.md, line to add:\n| `%s` | %s | %s |", name, written(name, l), l.comment)
		}
	}
}

// float returns a value as a float64, which represents all limits but fractions exactly.
func float(v constant.Value) float64 {
	f, _ := constant.Float64Val(v)
	return f
}

// written returns a value as formatted in a row.
func written(name string, l limit) string {
	if l.value.Kind() == constant.Float {
		return fmt.Sprint(float(l.value))
	}
	n, _ := constant.Int64Val(constant.ToInt(l.value))
	last := name[strings.LastIndexByte(name, '.')+1:]
	order := []string{"GiB", "MiB", "KiB"}
	switch {
	case strings.HasSuffix(last, "Wait"), strings.HasSuffix(last, "Grace"), strings.HasSuffix(last, "Interval"), strings.HasSuffix(last, "Fresh"):
		order = []string{"h", "min", "s", "ms"}
	case !strings.Contains(name, "Bytes") && !strings.Contains(l.comment, "bytes"):
		order = nil
	}
	for _, unit := range order {
		if n >= scales[unit] && n%scales[unit] == 0 {
			return fmt.Sprint(n/scales[unit], " ", unit)
		}
	}
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
