package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wheelscope/wheelscope"

// layers lists folders from the lowest to the highest layer. A package belongs to the layer with the
// longest folder that contains it, and imports only packages of its own and of lower layers. Packages
// outside of all folders are for tests, and the others do not import them.
var layers = []string{
	"internal/atomicfile internal/budget internal/fairqueue internal/herd internal/redistest internal/testkit internal/texts",
	"wheel",
	"wheel/catalog",
	"wheel/internal",
	"wheel/scheme wheel/system wheel/port wheel/recorded",
	"wheel/algorithms wheel/queue",
	"wheel/timer wheel/wheeltest wheel/rediswheel",
	"static internal/knowledge templates",
	"wheel/timer/timerhttp",
	"sim/scenario",
	"sim/program",
	"sim/engine",
	"sim",
	"web/session",
	"internal/picture internal/player",
	"sim/simtest",
	"web/api",
	"web/view",
	"web/pages",
	"web",
	"internal/site",
	"internal/cli",
	".",
}

// layerOf returns the index of the layer of a package, or -1.
func layerOf(dir string) int {
	layer, longest := -1, -1
	for i, folders := range layers {
		for _, folder := range strings.Fields(folders) {
			if (dir == folder || strings.HasPrefix(dir, folder+"/")) && len(folder) > longest {
				layer, longest = i, len(folder)
			}
		}
	}
	return layer
}

// relative returns the path of a package of the project relative to the module, "." for the
// program itself.
func relative(pkg string) (dir string, inModule bool) {
	if pkg == module {
		return ".", true
	}
	return strings.CutPrefix(pkg, module+"/")
}

// listImports returns the packages of the project by relative path, each with the imports of its
// files other than tests.
func listImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		dir, _ := relative(fields[0])
		imports[dir] = fields[1:]
	}
	if len(imports) < 50 {
		t.Fatalf("%d packages", len(imports))
	}
	return imports
}

// Imports run down the layers.
func TestLayers(t *testing.T) {
	for dir, imports := range listImports(t) {
		from := layerOf(dir)
		if from < 0 {
			continue
		}
		for _, i := range imports {
			if other, inModule := relative(i); inModule && (layerOf(other) < 0 || layerOf(other) > from) {
				t.Errorf("%s may not import %s", dir, other)
			}
		}
	}
}

var (
	quoted    = regexp.MustCompile("`([^`]+)`")
	pathLike  = regexp.MustCompile(`^[a-z0-9][a-z0-9_.*-]*(/[a-z0-9_.*-]+)*/?$`)
	extension = regexp.MustCompile(`\.(go|js|json|md|templ)$`)
)

// The paths in ARCHITECTURE.md and CONTRIBUTING.md exist.
func TestDocumentedPaths(t *testing.T) {
	found := 0
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
			p := m[1]
			if !pathLike.MatchString(p) || !strings.Contains(p, "/") && !extension.MatchString(p) {
				continue
			}
			found++
			if matches, err := filepath.Glob(p); err != nil || len(matches) == 0 {
				t.Errorf("%s: %s does not exist", name, p)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d paths", found)
	}
}

// heavyImports are packages that make programs much larger, each with the packages under wheel/
// that may link it, directly or indirectly. The Redis packages need a client that links most of
// them.
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

// serverImports are packages that only a server needs.
var serverImports = []string{"net/http", "github.com/labstack/echo/v4", "github.com/gorilla/websocket"}

// The packages below web import nothing of a server, so that a static site can use them. Sessions, and
// answers about runs, do not link it either, so that they can run in a browser; templ, which writes pages,
// links net/http. `make lint` compiles all of them for a browser.
func TestSitesNeedNoServer(t *testing.T) {
	for dir, imports := range listImports(t) {
		for _, i := range imports {
			if strings.HasPrefix(dir, "web/") && !strings.HasPrefix(dir, "web/internal/") && slices.Contains(serverImports, i) {
				t.Errorf("%s imports %s", dir, i)
			}
		}
	}
	out, err := exec.Command("go", "list", "-deps", "./web/session", "./web/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dep := range strings.Fields(string(out)) {
		if slices.Contains(serverImports, dep) {
			t.Errorf("web/session or web/api links %s", dep)
		}
	}
}

// The algorithms and the packages they use are passive: no clock, no I/O, no lock, no goroutine.
func TestWheelIsPassive(t *testing.T) {
	passive := 0
	for dir, imports := range listImports(t) {
		if !isPassive(dir) {
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
