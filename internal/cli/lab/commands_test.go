package lab_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli"
	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

func TestVerifyExitCodes(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
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
		r := clitest.Run(t, c.trace, "verify", "-")
		if r.Code != c.code || r.Out != c.out || c.err == "" && r.Err != "" || !strings.HasSuffix(r.Err, c.err) {
			t.Errorf("%s: %+v, want exit %d, stdout %q, stderr %q", c.name, r, c.code, c.out, c.err)
		}
	}
}

// full is a disk without free space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A difference that can't be printed is an error, not a silent exit.
func TestVerifyIntoAFullDisk(t *testing.T) {
	trace := strings.Replace(clitest.Run(t, clitest.Tiny, "run", "-").Out, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	var errs bytes.Buffer
	if code := cli.Main([]string{"verify", "-"}, strings.NewReader(trace), full{}, &errs); code != 2 || errs.String() != "wheelscope: no space left on device\n" {
		t.Errorf("exit %d, stderr %q", code, errs.String())
	}
}

// columnsOfCompare are the documented columns, in order.
const columnsOfCompare = "lane algorithm fired cancelled rejected early early_max late late_max late_p99 cost worst_tick worst_tick_at bytes_per_timer findings operations passed_over ticks bytes"

func TestCompareFormats(t *testing.T) {
	var rows []engine.LaneResult
	asJSON := clitest.Run(t, clitest.Tiny, "compare", "-", "--format", "json")
	if err := json.Unmarshal([]byte(asJSON.Out), &rows); err != nil || len(rows) != 2 || rows[0].Lane != "simple" || rows[1].Fired != 2 {
		t.Fatalf("json: %v, %+v, %s", err, rows, asJSON.Err)
	}
	asCSV := clitest.Run(t, clitest.Tiny, "compare", "-", "--format", "csv")
	records, err := csv.NewReader(strings.NewReader(asCSV.Out)).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("csv: %v, %q", err, asCSV.Out)
	}
	table := strings.Split(strings.TrimSpace(clitest.Run(t, clitest.Tiny, "compare", "-").Out), "\n")
	for i, record := range records {
		if got := strings.Fields(table[i]); !slices.Equal(got, record) {
			t.Errorf("row %d: the table has %q, the CSV %q", i, got, record)
		}
	}
	// All formats have the same order of columns, the documented one.
	if got := strings.Join(records[0], " "); got != columnsOfCompare {
		t.Errorf("columns %q, want %q", got, columnsOfCompare)
	}
	var fields []map[string]any
	if err := json.Unmarshal([]byte(asJSON.Out), &fields); err != nil {
		t.Fatal(err)
	}
	for i := range fields {
		for k, name := range records[0] {
			if got := fmt.Sprint(fields[i][name]); got != records[i+1][k] {
				t.Errorf("row %d: %s is %s in JSON, %s in CSV", i, name, got, records[i+1][k])
			}
		}
	}
	at := 0
	for _, name := range records[0] {
		next := strings.Index(asJSON.Out[at:], `"`+name+`":`)
		if next < 0 {
			t.Fatalf("JSON: %s is missing or out of order", name)
		}
		at += next
	}
}

func TestAlgorithmsJSON(t *testing.T) {
	var list []knowledge.Entry
	r := clitest.Run(t, "", "algorithms", "--json")
	if err := json.Unmarshal([]byte(r.Out), &list); err != nil || r.Code != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if len(list) != len(algorithms.Catalogue()) {
		t.Fatalf("%d algorithms, want %d", len(list), len(algorithms.Catalogue()))
	}
	text := clitest.Run(t, "", "algorithms").Out
	for i, a := range algorithms.Catalogue() {
		if got := list[i]; got.ID != a.ID || got.Title != knowledge.Title(a.ID) || got.Source == "" || got.Guarantee.Early.ZH == "" || len(got.Parameters) != len(a.Parameters) {
			t.Errorf("algorithm %d: %+v", i, got)
		}
		if !strings.Contains(text, a.ID+": "+knowledge.Title(a.ID).EN) {
			t.Errorf("the table does not list %s", a.ID)
		}
	}
	for _, field := range []string{`"id"`, `"title"`, `"summary"`, `"source"`, `"guarantee"`, `"early"`, `"late"`, `"parameters"`, `"name"`, `"type"`, `"default"`, `"min"`, `"max"`, `"meaning"`} {
		if !strings.Contains(r.Out, field) {
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
	r := clitest.Run(t, "", "scenarios", "--json")
	if err := json.Unmarshal([]byte(r.Out), &list); err != nil || r.Code != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if len(list) < 8 {
		t.Errorf("%d built-in scenarios", len(list))
	}
	text := clitest.Run(t, "", "scenarios").Out
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
