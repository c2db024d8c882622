package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

func TestVerifyExitCodes(t *testing.T) {
	trace := runProgram(t, tinyScenario, "run", "-").out
	lines := strings.SplitAfter(trace, "\n")
	other := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	broken := strings.Replace(trace, `{"seq":3,`, `{"seq":4,`, 1)
	for _, c := range []struct {
		name, trace string
		code        int
		out, err    string
	}{
		{"identical", trace, 0, "standard input: identical, 15 events to tick 6\n", ""},
		{"differs", other, 1, "standard input: line 3: slot is 3, the run has 2 (tick 0, lane simple, a)\ntrace: " + strings.Replace(lines[2], `"slot":2`, `"slot":3`, 1) + "run:   " + lines[2], ""},
		{"broken", broken, 2, "", "wheelscope: standard input: line 4: seq is 4, expected 3\n"},
		{"cut", trace[:len(trace)/2], 2, "", "does not end in a newline\n"},
	} {
		r := runProgram(t, c.trace, "verify", "-")
		if r.code != c.code || r.out != c.out || c.err == "" && r.err != "" || !strings.HasSuffix(r.err, c.err) {
			t.Errorf("%s: %+v, want exit %d, stdout %q, stderr %q", c.name, r, c.code, c.out, c.err)
		}
	}
}

// full is a disk without free space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A difference that can't be printed is an error, not a silent exit.
func TestVerifyIntoAFullDisk(t *testing.T) {
	trace := strings.Replace(runProgram(t, tinyScenario, "run", "-").out, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	var errs bytes.Buffer
	if code := Main([]string{"verify", "-"}, strings.NewReader(trace), full{}, &errs); code != exitError || errs.String() != "wheelscope: no space left on device\n" {
		t.Errorf("exit %d, stderr %q", code, errs.String())
	}
}

func TestCompareFormats(t *testing.T) {
	var rows []sim.LaneResult
	asJSON := runProgram(t, tinyScenario, "compare", "-", "--format", "json")
	if err := json.Unmarshal([]byte(asJSON.out), &rows); err != nil || len(rows) != 2 || rows[0].Lane != "simple" || rows[1].Fired != 2 {
		t.Fatalf("json: %v, %+v, %s", err, rows, asJSON.err)
	}
	asCSV := runProgram(t, tinyScenario, "compare", "-", "--format", "csv")
	records, err := csv.NewReader(strings.NewReader(asCSV.out)).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("csv: %v, %q", err, asCSV.out)
	}
	table := strings.Split(strings.TrimSpace(runProgram(t, tinyScenario, "compare", "-").out), "\n")
	for i, record := range records {
		if got := strings.Fields(table[i]); !slices.Equal(got, record) {
			t.Errorf("row %d: the table has %q, the CSV %q", i, got, record)
		}
	}
	// All formats have the same order of columns, the documented one.
	want := "lane algorithm fired cancelled rejected early early_max late late_max late_p99 cost worst_tick worst_tick_at bytes_per_timer findings"
	if got := strings.Join(records[0], " "); got != want {
		t.Errorf("columns %q, want %q", got, want)
	}
	for i := range rows {
		if cells := compareCells(&rows[i]); !slices.Equal(cells, records[i+1]) {
			t.Errorf("row %d: JSON %q, CSV %q", i, cells, records[i+1])
		}
	}
	at := 0
	for _, name := range records[0] {
		next := strings.Index(asJSON.out[at:], `"`+name+`":`)
		if next < 0 {
			t.Fatalf("JSON: %s is missing or out of order", name)
		}
		at += next
	}
}

func TestAlgorithmsJSON(t *testing.T) {
	var list []struct {
		ID, Source     string
		Title, Summary catalog.Text
		Guarantee      catalog.Guarantee
		Parameters     []catalog.Parameter
	}
	r := runProgram(t, "", "algorithms", "--json")
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || r.code != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if len(list) != len(algorithms.Catalogue()) {
		t.Fatalf("%d algorithms, want %d", len(list), len(algorithms.Catalogue()))
	}
	text := runProgram(t, "", "algorithms").out
	for i, a := range algorithms.Catalogue() {
		if got := list[i]; got.ID != a.ID || got.Title != a.Title || got.Source == "" || got.Guarantee.Early.ZH == "" || len(got.Parameters) != len(a.Parameters) {
			t.Errorf("algorithm %d: %+v", i, got)
		}
		if !strings.Contains(text, a.ID+": "+a.Title.EN) {
			t.Errorf("the table does not list %s", a.ID)
		}
	}
	for _, field := range []string{`"id"`, `"title"`, `"summary"`, `"source"`, `"guarantee"`, `"early"`, `"late"`, `"parameters"`, `"name"`, `"type"`, `"default"`, `"min"`, `"max"`, `"meaning"`} {
		if !strings.Contains(r.out, field) {
			t.Errorf("no field %s", field)
		}
	}
}

func TestScenariosJSON(t *testing.T) {
	var list []struct {
		Name                     string
		Title, Summary, Question map[string]string
		Lanes                    []string
	}
	r := runProgram(t, "", "scenarios", "--json")
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || r.code != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if len(list) < 8 {
		t.Errorf("%d built-in scenarios", len(list))
	}
	text := runProgram(t, "", "scenarios").out
	for _, s := range list {
		for _, lang := range []string{"en", "zh"} {
			if s.Title[lang] == "" || s.Summary[lang] == "" || s.Question[lang] == "" {
				t.Errorf("%s: a text in %s is missing", s.Name, lang)
			}
		}
		if len(s.Lanes) == 0 || !strings.Contains(text, s.Name) || !strings.Contains(text, s.Title["en"]) {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
}

// Every built-in can be run by its name; a file of that name takes precedence.
func TestScenarioByName(t *testing.T) {
	for _, b := range sim.Builtins() {
		p, err := loadScenario(t.Context(), b.Name, nil)
		if err != nil || p.Scenario.Name != b.Name {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	t.Chdir(t.TempDir())
	name := sim.Builtins()[0].Name
	if err := os.WriteFile(name, []byte(tinyScenario), 0o666); err != nil {
		t.Fatal(err)
	}
	if p, err := loadScenario(t.Context(), name, nil); err != nil || p.Scenario.Name != "tiny" {
		t.Errorf("with a file of that name: %v, %v", p, err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Fatal(err)
	}
	if p, err := loadScenario(t.Context(), name, nil); err != nil || p.Scenario.Name != name {
		t.Errorf("with a directory of that name: %v, %v", p, err)
	}
}

func TestVersion(t *testing.T) {
	r := runProgram(t, "", "version")
	if r.code != 0 || !strings.HasPrefix(r.out, "wheelscope "+release+"\n") || !strings.Contains(r.out, runtime.Version()) || !strings.Contains(r.out, "\ncommit ") {
		t.Errorf("%+v", r)
	}
	change, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(change), "\n## ")
	if unreleased, ok := strings.CutPrefix(rest, "Unreleased\n"); ok {
		_, rest, _ = strings.Cut(unreleased, "\n## ")
	}
	if !strings.HasPrefix(rest, release) {
		t.Errorf("the newest release of CHANGELOG.md is not %s", release)
	}
}

func TestCommit(t *testing.T) {
	setting := func(modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: modified}}}
	}
	const none = "not recorded by this build"
	for want, info := range map[string]*debug.BuildInfo{none: {}, "abc": setting("false"), "abc with changes": setting("true")} {
		if got := commit(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := commit(nil); got != none {
		t.Errorf("%q without build info", got)
	}
}
