// Package record records the timers of Go programs that use package time, without a change to them: it makes an overlay for
// the go command, in which package time and the deadlines of connections note what they do, and merges what the processes
// have written.
//
// Start reading at [Overlay] and [Merge]; the folder patch has what is added to the standard library.
package record

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed patch/time.go.txt
var timePatch string

//go:embed patch/poll.go.txt
var pollPatch string

// patches are the packages that the overlay changes: functions are renamed, and the added file has others in their place.
var patches = []struct {
	dir     string
	added   string
	calls   []string            // functions of the package that the added file calls
	renamed map[string][]string // functions by file; a method is written as Timer.Stop
}{
	{"time", timePatch, []string{"runtimeNano", "runtimeIsBubbled"}, map[string][]string{
		"sleep.go": {"AfterFunc", "NewTimer", "Timer.Stop", "Timer.Reset"},
		"tick.go":  {"NewTicker", "Ticker.Stop", "Ticker.Reset"},
		"time.go":  nil,
	}},
	{"internal/poll", pollPatch, nil, map[string][]string{
		"fd_poll_runtime.go": {"setDeadlineImpl", "pollDesc.evict"},
	}},
}

// Overlay writes an overlay for the Go installation at root to dir, an existing folder, and returns the name of the file
// for the flag -overlay. If the standard library has not the functions that the overlay changes, the error names the first.
func Overlay(root, dir string) (string, error) {
	replace := map[string]string{}
	for _, p := range patches {
		from := filepath.Join(root, "src", filepath.FromSlash(p.dir))
		found := map[string]bool{}
		for file, names := range p.renamed {
			name := filepath.Join(from, file)
			text, err := os.ReadFile(name)
			if err != nil {
				return "", fmt.Errorf("cannot read package %s of this Go: %w", p.dir, err)
			}
			changed, err := rename(text, names, found)
			if err != nil {
				return "", fmt.Errorf("%s of this Go: %w", filepath.ToSlash(filepath.Join(p.dir, file)), err)
			}
			if len(names) > 0 {
				to := filepath.Join(dir, strings.ReplaceAll(p.dir, "/", "_")+"_"+file)
				if err := os.WriteFile(to, changed, 0o600); err != nil {
					return "", err
				}
				replace[name] = to
			}
		}
		for _, name := range p.calls {
			if !found[name] {
				return "", fmt.Errorf("package %s of this Go has no function %s; expected Go %s", p.dir, name, Tested)
			}
		}
		to := filepath.Join(dir, strings.ReplaceAll(p.dir, "/", "_")+"_added.go")
		added := strings.ReplaceAll(p.added, "RECORDMAX", fmt.Sprint(EventsMax))
		if err := os.WriteFile(to, []byte(added), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(from, "wheelscope_record.go")] = to
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}

// Tested are the versions of Go whose standard library was tried.
const Tested = "1.26"

// rename puts "unrecorded" before the names of the given functions, and notes in found the functions of the file.
func rename(text []byte, names []string, found map[string]bool) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var at []int
	missing := slices.Clone(names)
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			name = receiver(fn.Recv.List[0].Type) + "." + name
		}
		found[name] = true
		if i := slices.Index(missing, name); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			at = append(at, files.Position(fn.Name.Pos()).Offset)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("no function %s; expected Go %s", missing[0], Tested)
	}
	out := text
	for _, i := range slices.Backward(at) {
		out = slices.Concat(out[:i], []byte("unrecorded"), out[i:])
	}
	return out, nil
}

func receiver(t ast.Expr) string {
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
