package main

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wheelscope/wheelscope"

// room is a row of the table of packages in ARCHITECTURE.md: a package and the packages of the
// project that it may import.
type room struct {
	path   string
	may    []string
	others bool // may import packages outside the project
}

// holds reports whether the row is about a package. A path that ends in /* matches every package
// of the folder; the first matching row counts.
func (r room) holds(pkg string) bool {
	ok, _ := path.Match(r.path, pkg)
	return ok
}

var quoted = regexp.MustCompile("`([^`]+)`")

// readRooms reads the table of packages.
func readRooms(t *testing.T) []room {
	t.Helper()
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var rooms []room
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		r := room{path: path.Join(module, strings.TrimSuffix(quoted.FindStringSubmatch(cells[1])[1], "main.go")),
			others: !strings.Contains(cells[3], "nothing but")}
		for _, name := range quoted.FindAllStringSubmatch(cells[3], -1) {
			r.may = append(r.may, name[1])
		}
		rooms = append(rooms, r)
	}
	return rooms
}

// listImports returns the packages of the project, each with the imports of its files other than
// tests.
func listImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		imports[fields[0]] = fields[1:]
	}
	return imports
}

// Each package imports only the packages of the project that its row in ARCHITECTURE.md lists, and
// every package has a row.
func TestImportsRunOneWay(t *testing.T) {
	rooms := readRooms(t)
	if len(rooms) < 8 {
		t.Fatalf("%d packages in ARCHITECTURE.md", len(rooms))
	}
	for pkg, imports := range listImports(t) {
		at := slices.IndexFunc(rooms, func(r room) bool { return r.holds(pkg) })
		if at < 0 {
			t.Errorf("%s has no row in the table of packages", pkg)
			continue
		}
		for _, i := range imports {
			ours, isOurs := strings.CutPrefix(i, module+"/")
			if isOurs && !slices.Contains(rooms[at].may, ours) || !isOurs && !rooms[at].others && !slices.Contains(rooms[at].may, i) {
				t.Errorf("%s may not import %s", pkg, i)
			}
		}
	}
}

// heavyImports are packages that make programs much larger, each with the packages under wheel/
// that may link it, directly or indirectly. The Redis packages need a client that links most.
var heavyImports = map[string][]string{
	"net/http":                   {"wheel/timer/timerhttp", "wheel/timer/timerprom"},
	"github.com/a-h/templ":       {"wheel/timer/timerhttp"},
	module + "/templates":        {"wheel/timer/timerhttp"},
	module + "/wheel/algorithms": {"wheel/timer/timerhttp"},
	"github.com/prometheus/client_golang/prometheus": {"wheel/timer/timerprom"},
	"github.com/benbjohnson/clock":                   {"wheel/timer/timerclock"},
	"encoding/json":                                  {"wheel/timer/timerhttp", "wheel/timer/timerprom"},
	"expvar":                                         {"wheel/timer/timerprom"},
	"log/slog":                                       {"wheel/timer/timerhttp", "wheel/timer/timerprom"},
}

// The packages for timers in programs link nothing heavy.
func TestHeavyImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./wheel/timer/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 4 {
		t.Fatalf("%d packages", len(lines))
	}
	for _, line := range lines {
		fields := strings.Fields(line)
		dir := strings.TrimPrefix(fields[0], module+"/")
		for _, dep := range fields[1:] {
			if may, heavy := heavyImports[dep]; heavy && !slices.Contains(may, dir) {
				t.Errorf("%s may not link %s", dir, dep)
			}
		}
	}
}

// The algorithms and the packages they use are passive: no clock, no I/O, no lock, no goroutine.
func TestWheelIsPassive(t *testing.T) {
	passive := 0
	for pkg, imports := range listImports(t) {
		dir, ok := strings.CutPrefix(pkg, module+"/")
		if !ok || !isPassive(dir) {
			continue
		}
		passive++
		for _, i := range imports {
			for _, never := range []string{"time", "net", "sync", "os", "io", "context", "runtime", "github.com/benbjohnson/clock"} {
				if i == never || strings.HasPrefix(i, never+"/") {
					t.Errorf("%s imports %s", dir, i)
				}
			}
		}
		checkSequential(t, dir)
	}
	if passive < 20 {
		t.Fatalf("%d packages", passive)
	}
}

// isPassive reports whether a folder has an algorithm, or code shared by all algorithms.
func isPassive(dir string) bool {
	for _, above := range []string{"wheel/catalog", "wheel/algorithms", "wheel/internal/core", "wheel/scheme/", "wheel/system/", "wheel/port/"} {
		if strings.HasPrefix(dir, above) {
			return true
		}
	}
	return dir == "wheel"
}

var concurrent = regexp.MustCompile(`(?m)^\s*(go |select \{)|\bchan\b|<-`)

// checkSequential fails the test if a package uses goroutines or channels.
func checkSequential(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		data, err := os.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		code := regexp.MustCompile(`(?m)//.*$`).ReplaceAll(data, nil)
		if found := concurrent.Find(code); found != nil {
			t.Errorf("%s/%s: %q", dir, f.Name(), found)
		}
	}
}
