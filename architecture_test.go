package main

import (
	"bytes"
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

// packageRule lists the packages of the project that a package may import. Paths are relative to
// the module and may be patterns of path.Match; the first rule that matches a package applies.
// Imports of tests are not restricted.
type packageRule struct {
	pkg     string
	imports string // separated by spaces
}

// allowedImports has a rule for every package of the project.
var allowedImports = []packageRule{
	{".", "internal/cli"},
	{"internal/cli", "internal/cli/console internal/cli/input internal/cli/lab internal/cli/serve internal/cli/task internal/site " +
		"internal/atomicfile wheel/rediswheel/lane"},
	{"internal/cli/clitest", "internal/cli"},
	{"internal/cli/console", "internal/atomicfile"},
	{"internal/cli/input", "internal/cli/console sim/importer sim/library sim/program sim/scenario sim/tracefile"},
	{"internal/cli/lab", "internal/cli/console internal/cli/input internal/knowledge internal/picture internal/player internal/texts sim " +
		"internal/site sim/compare sim/engine sim/export sim/importer sim/library sim/program sim/scenario sim/tracefile static " +
		"web/view wheel/algorithms wheel/catalog"},
	{"internal/cli/redisflag", "wheel/rediswheel"},
	{"internal/cli/serve", "internal/budget internal/cli/console internal/cli/input internal/cli/redisflag sim web web/session/protocol " +
		"wheel/rediswheel"},
	{"internal/cli/task", "internal/cli/console internal/cli/input internal/cli/redisflag wheel/rediswheel wheel/rediswheel/redisprom " +
		"wheel/rediswheel/signature wheel/rediswheel/worker"},
	{"internal/attack", ""},
	{"internal/e2e", ""},
	{"internal/knowledge", "static wheel wheel/algorithms wheel/catalog"},
	{"internal/picture", "internal/fairqueue static templates"},
	{"internal/player", "internal/fairqueue internal/knowledge sim sim/compare sim/engine sim/program sim/scenario sim/tracefile static " +
		"templates wheel wheel/algorithms wheel/catalog"},
	{"internal/site", "internal/player internal/texts internal/atomicfile sim sim/library sim/tracefile static web/api web/locate web/pages wheel/algorithms"},
	{"internal/site/passlimit", "sim/program"},
	{"internal/errmsg", ""},
	{"internal/texts", ""},
	{"internal/budget", ""},
	{"internal/fairqueue", ""},
	{"internal/extreme", "sim/scenario wheel wheel/algorithms wheel/catalog"},
	{"internal/atomicfile", ""},
	{"internal/faults", ""},
	{"internal/redistest", ""},
	{"internal/testprogram", ""},
	{"web", "internal/fairqueue internal/knowledge internal/errmsg sim sim/compare sim/export " +
		"sim/importer sim/library sim/program sim/tracefile static templates web/api web/internal/hosts web/locate web/pages " +
		"web/download web/question web/session web/session/protocol web/usererr web/view wheel wheel/algorithms wheel/rediswheel"},
	{"web/download", "internal/picture internal/player sim sim/program web/api web/locate web/question web/session/protocol web/usererr web/view"},
	{"web/question", "internal/knowledge internal/errmsg sim sim/compare sim/library static web/api web/session web/session/protocol web/usererr wheel " +
		"wheel/algorithms"},
	{"web/pages", "internal/fairqueue sim/program templates templates/gallery templates/learn web/api web/article web/locate web/session/protocol " +
		"web/usererr web/view wheel/algorithms"},
	{"web/session", "internal/budget internal/fairqueue internal/knowledge internal/errmsg sim sim/cursor sim/engine sim/program " +
		"sim/scenario web/locate web/session/protocol web/usererr wheel wheel/algorithms"},
	{"web/session/protocol", "internal/knowledge sim sim/engine sim/program sim/scenario web/usererr wheel wheel/catalog"},
	{"web/session/protocol/protocolgen", "web/session/protocol wheel"},
	{"web/view", "internal/knowledge internal/picture internal/texts sim sim/engine sim/library sim/program sim/scenario static " +
		"templates templates/gallery web/locate web/usererr wheel wheel/algorithms wheel/catalog wheel/rediswheel"},
	{"web/locate", "sim sim/cursor sim/engine sim/library sim/program web/usererr"},
	{"web/usererr", "internal/fairqueue internal/errmsg sim sim/program sim/scenario static"},
	{"web/internal/webtest", "sim sim/library sim/program wheel/rediswheel/lane"},
	{"web/api", "internal/budget internal/fairqueue internal/errmsg sim sim/compare sim/cursor sim/engine sim/importer sim/program " +
		"sim/quiz sim/scenario sim/tracefile static web/locate web/session/protocol web/usererr wheel"},
	{"web/internal/hosts", "web/usererr"},
	{"web/article", "internal/texts sim sim/cursor sim/engine sim/program static templates templates/learn web/view wheel"},
	{"templates", "internal/knowledge internal/texts"},
	{"templates/learn", "internal/texts templates"},
	{"templates/gallery", "templates"},
	{"static", "internal/errmsg internal/texts"},
	{"sim", "internal/budget internal/fairqueue internal/errmsg sim/engine sim/program sim/scenario wheel"},
	{"sim/simtest", "internal/player internal/texts internal/atomicfile sim sim/engine sim/library sim/program sim/scenario sim/tracefile " +
		"static wheel wheel/rediswheel/lane"},
	{"sim/export", "internal/fairqueue sim/engine sim/program sim/scenario wheel"},
	{"sim/importer", "internal/fairqueue internal/errmsg internal/texts sim/compare sim/engine sim/export sim/program sim/scenario sim/tracefile wheel " +
		"wheel/catalog"},
	{"sim/internal/appendjson", ""},
	{"sim/internal/plantest", "internal/fairqueue sim/engine sim/program wheel"},
	{"internal/schematest", ""},
	{"sim/program", "internal/errmsg sim/scenario wheel wheel/algorithms wheel/system/netty"},
	{"sim/scenario", "internal/errmsg sim/internal/appendjson wheel wheel/algorithms wheel/catalog"},
	{"sim/engine", "internal/budget internal/fairqueue sim/program sim/scenario wheel wheel/algorithms wheel/catalog wheel/port"},
	{"sim/compare", "internal/texts sim sim/engine sim/program sim/scenario sim/tracefile wheel"},
	{"sim/internal/testscenarios", "sim/library"},
	{"sim/library", "sim/scenario wheel/algorithms"},
	{"sim/quiz", "internal/texts sim sim/compare sim/engine sim/program sim/scenario wheel"},
	{"sim/tracefile", "sim/engine sim/internal/appendjson sim/program sim/scenario wheel"},
	{"sim/cursor", "internal/fairqueue sim sim/engine sim/program sim/scenario wheel"},
	{"wheel", ""},
	{"wheel/catalog", "wheel"},
	{"wheel/internal/core", "wheel wheel/catalog"},
	{"wheel/internal/coretest", "wheel wheel/catalog"},
	{"wheel/scheme/*", "wheel wheel/catalog wheel/internal/core"},
	{"wheel/system/kafka", "wheel wheel/catalog wheel/internal/core wheel/port wheel/scheme/hierarchical"},
	{"wheel/system/*", "wheel wheel/catalog wheel/internal/core"},
	{"wheel/port", "wheel"},
	{"wheel/port/internal/ring", "wheel wheel/catalog wheel/internal/core"},
	{"wheel/port/*", "wheel wheel/catalog wheel/internal/core wheel/port wheel/port/internal/ring"},
	{"wheel/algorithms", "wheel wheel/catalog wheel/internal/core wheel/port/* wheel/scheme/* wheel/system/*"},
	{"wheel/timer", "wheel wheel/catalog wheel/scheme/hierarchical wheel/timer/internal/*"},
	{"wheel/timer/internal/watch", "wheel"},
	{"wheel/timer/internal/*", ""},
	{"wheel/timer/timerhttp", "internal/knowledge internal/texts static templates wheel wheel/algorithms wheel/catalog wheel/timer " +
		"wheel/timer/internal/watch"},
	{"wheel/wheeltest", ""},
	{"wheel/wheeltest/internal/timeradapter", "wheel wheel/algorithms wheel/timer wheel/wheeltest"},
	{"wheel/timer/timerclock", "wheel/timer"},
	{"wheel/timer/timerprom", "wheel/timer"},
	{"wheel/rediswheel", "wheel/rediswheel/internal/connect wheel/rediswheel/internal/hashtag wheel/rediswheel/internal/layout " +
		"wheel/rediswheel/internal/reply"},
	{"wheel/rediswheel/internal/digest", ""},
	{"wheel/rediswheel/internal/hashtag", ""},
	{"wheel/rediswheel/internal/plainhttp", ""},
	{"wheel/rediswheel/redisprom", "wheel/rediswheel"},
	{"wheel/rediswheel/signature", ""},
	{"wheel/rediswheel/lane", "wheel wheel/algorithms wheel/catalog wheel/port wheel/rediswheel wheel/rediswheel/internal/reply wheel/rediswheel/worker"},
	{"wheel/rediswheel/internal/reply", ""},
	{"wheel/rediswheel/internal/connect", ""},
	{"wheel/rediswheel/internal/layout", ""},
	{"wheel/rediswheel/internal/wheeltesting", "internal/redistest wheel/rediswheel"},
	{"wheel/rediswheel/worker", "wheel/rediswheel wheel/rediswheel/internal/connect wheel/rediswheel/internal/digest " +
		"wheel/rediswheel/internal/layout wheel/rediswheel/internal/plainhttp wheel/rediswheel/signature"},
}

// documentLines are the largest numbers of lines of documents.
var documentLines = map[string]int{"ARCHITECTURE.md": 120, "CONTRIBUTING.md": 100, "docs/decisions/*.md": 30}

// matchesAny reports whether a path matches one of the patterns.
func matchesAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(pattern, pkg)
		return ok
	})
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

// Each package imports only the packages of the project that its rule allows, every package has a
// rule, and every rule applies to a package.
func TestAllowedImports(t *testing.T) {
	applied := map[string]bool{}
	for dir, imports := range listImports(t) {
		at := slices.IndexFunc(allowedImports, func(r packageRule) bool { return matchesAny([]string{r.pkg}, dir) })
		if at < 0 {
			t.Errorf("%s has no rule in allowedImports", dir)
			continue
		}
		applied[allowedImports[at].pkg] = true
		allowed := strings.Fields(allowedImports[at].imports)
		for _, i := range imports {
			if other, inModule := relative(i); inModule && !matchesAny(allowed, other) {
				t.Errorf("%s may not import %s", dir, other)
			}
		}
	}
	for _, r := range allowedImports {
		if !applied[r.pkg] {
			t.Errorf("the rule for %s applies to no package", r.pkg)
		}
	}
}

// The packages below wheel and sim contain no Chinese: their texts are in static.
func TestTextsAreInStatic(t *testing.T) {
	for dir := range listImports(t) {
		if top, _, _ := strings.Cut(dir, "/"); top != "wheel" && top != "sim" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if m := regexp.MustCompile(`\p{Han}+`).Find(data); m != nil && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s contains %s", name, m)
			}
		}
	}
}

// The map in ARCHITECTURE.md names every package.
func TestArchitectureMap(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for line := range strings.Lines(string(data)) {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
				named = append(named, strings.TrimSuffix(m[1], "/"))
			}
		}
	}
	for dir := range listImports(t) {
		if dir != "." && !matchesAny(named, dir) {
			t.Errorf("%s is not in the map of packages", dir)
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
	if found < 60 {
		t.Errorf("%d paths", found)
	}
}

// Documents do not exceed their maximum numbers of lines.
func TestDocumentLines(t *testing.T) {
	for pattern, limit := range documentLines {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no file, %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(data, []byte("\n")); n > limit {
				t.Errorf("%s has %d lines, at most %d are allowed", name, n, limit)
			}
		}
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
