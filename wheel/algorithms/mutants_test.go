//go:build mutants

package algorithms

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

var (
	mutantCount = flag.Int("mutants.count", 100, "how many mutants are drawn")
	mutantSeed  = flag.Uint64("mutants.seed", 1, "the seed of the draw")
)

// detectedMin is the least share of the mutants, in percent, that the tests must detect. It is
// below 100 because some mutants behave like the original: an empty slot compacted twice, a
// slice grown too early.
const detectedMin = 75

// mutantTests are the tests that must detect a mutant, next to all other tests of the packages of
// the algorithms; they run on few random workloads.
const mutantTests = "TestLane|TestLinux|TestNettyM|TestExact|TestWays|TestBudget|TestIdle|TestFold|TestPast|TestStale|TestBitmap|TestSlot|TestOracle|TestPlacements|TestCorrected|TestMissed|TestPanic|TestLk668|TestCalendar|TestRiicarus|TestProcInc|TestCancelAt|TestStage|TestModelAgrees"

// mutant is the source of a file in which one node of the syntax tree is changed.
type mutant struct {
	file   string // path relative to this package
	name   string // the place and the change
	source []byte
}

// swapped are the operators that a mutant uses in place of each other.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.INC: token.DEC, token.DEC: token.INC, token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
}

// swap replaces the operator that op points to, or returns nil if it has no counterpart.
func swap(op *token.Token) (apply, undo func(), what string) {
	was := *op
	is, ok := swapped[was]
	if !ok {
		return nil, nil, ""
	}
	return func() { *op = is }, func() { *op = was }, fmt.Sprintf("%s for %s", is, was)
}

// mutations calls yield for each change of the statements and operators in f.
func mutations(f *ast.FuncDecl, yield func(at token.Pos, what string, apply, undo func())) {
	operator := func(at token.Pos, op *token.Token) {
		if apply, undo, what := swap(op); apply != nil {
			yield(at, what, apply, undo)
		}
	}
	remove := func(list []ast.Stmt) {
		for i, s := range list {
			if removable(s) {
				yield(s.Pos(), "a statement removed", func() { list[i] = &ast.EmptyStmt{} }, func() { list[i] = s })
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			operator(n.OpPos, &n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, &n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, &n.Tok)
		case *ast.IfStmt:
			cond := n.Cond
			yield(n.Pos(), "a condition negated", func() { n.Cond = &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: cond}} }, func() { n.Cond = cond })
		case *ast.BlockStmt:
			remove(n.List)
		case *ast.CaseClause:
			remove(n.Body)
		}
		return true
	})
}

// removable reports whether a function may compile without the statement.
func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.ExprStmt:
		return true
	}
	return false
}

// mutantsOf returns every mutant of a file. Functions that do not affect when timers fire are left
// out: the memory accounting and the checks that tests call.
func mutantsOf(t *testing.T, file string) (all []mutant) {
	t.Helper()
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || slices.Contains([]string{"Bytes", "Check", "String"}, f.Name.Name) {
			continue
		}
		mutations(f, func(at token.Pos, what string, apply, undo func()) {
			apply()
			defer undo()
			var source bytes.Buffer
			if err := format.Node(&source, files, tree); err != nil {
				t.Fatal(err)
			}
			p := files.Position(at)
			all = append(all, mutant{file: file, name: fmt.Sprintf("%s:%d:%d %s", strings.TrimPrefix(file, "../"), p.Line, p.Column, what), source: source.Bytes()})
		})
	}
	return all
}

// drawMutants returns mutants of all algorithms and of what they share.
func drawMutants(t *testing.T) (drawn []mutant) {
	t.Helper()
	for _, pattern := range []string{"../fold*.go", "../internal/core/*.go", "../scheme/*/*.go", "../system/*/*.go", "../port/*/*.go", "../port/internal/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if base := filepath.Base(file); !strings.HasSuffix(base, "_test.go") && base != "check.go" {
				drawn = append(drawn, mutantsOf(t, file)...)
			}
		}
	}
	rand.New(rand.NewPCG(*mutantSeed, 0)).Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(len(drawn), *mutantCount)]
}

// The tests detect the mutants of the wheels. Those that they don't detect are logged.
func TestMutantsAreCaught(t *testing.T) {
	if out, err := runTests(t); err != nil {
		t.Fatalf("without a mutant: %v\n%s", err, out)
	}
	var built, detected atomic.Int64
	t.Run("mutant", func(t *testing.T) {
		for _, m := range drawMutants(t) {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				out, err := runTests(t, m.overlay(t))
				switch exit := (*exec.ExitError)(nil); {
				case err == nil:
					built.Add(1)
					t.Logf("not detected: %s", m.name)
				case !errors.As(err, &exit):
					t.Errorf("%s did not run: %v\n%s", m.name, err, out)
				case !strings.Contains(out, "[build failed]"): // otherwise the mutant does not compile
					built.Add(1)
					detected.Add(1)
				}
			})
		}
	})
	t.Logf("%d of %d mutants detected", detected.Load(), built.Load())
	if built.Load() == 0 || detected.Load()*100 < built.Load()*detectedMin {
		t.Errorf("%d of %d mutants are detected, want %d %%", detected.Load(), built.Load(), detectedMin)
	}
}

// overlay writes an overlay file with which the go command reads the mutant instead of the original
// file. It returns the flag that selects the overlay.
func (m mutant) overlay(t *testing.T) string {
	t.Helper()
	original, err := filepath.Abs(m.file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mutated, list := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{mutated: m.source, list: overlay} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "-overlay=" + list
}

// runTests runs the tests with additional flags of the go command and returns their output.
func runTests(t *testing.T, more ...string) (string, error) {
	t.Helper()
	flags := slices.Concat([]string{"test"}, more, []string{"-vet=off", "-failfast", "-timeout=60s"})
	random := []string{".", "../internal/core", "../system/callout", "-run", mutantTests, "-rapid.checks=100", "-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=0s"}
	var all strings.Builder
	for _, args := range [][]string{random, {"../scheme/...", "../system/...", "../port/...", "-skip", "TestModelAgrees"}} {
		out, err := exec.CommandContext(t.Context(), "go", slices.Concat(flags, args)...).CombinedOutput()
		all.Write(out)
		if err != nil {
			return all.String(), err
		}
	}
	return all.String(), nil
}
