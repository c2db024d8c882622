package lab_test

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim/compare"
)

func TestCompareTwo(t *testing.T) {
	later := strings.Replace(clitest.Tiny, `"delay":2`, `"delay":4`, 1)
	if later == clitest.Tiny {
		t.Fatal("the scenario has no delay of 2")
	}
	a, b := clitest.WriteFile(t, "a.json", clitest.Tiny), clitest.WriteFile(t, "b.json", later)
	var r compare.ComparisonReport
	out := clitest.Run(t, "", "compare", a, b, "--format", "json")
	if err := json.Unmarshal([]byte(out.Out), &r); err != nil || out.Code != 0 {
		t.Fatalf("%v: %+v", err, out)
	}
	if len(r.Sides) != 2 || r.SameWork || r.First == nil || len(r.Rows) != 4 || r.Rows[0].Side != "A" || r.Rows[3].Side != "B" || r.Differing < 1 {
		t.Errorf("%+v", r)
	}
	records, err := csv.NewReader(strings.NewReader(clitest.Run(t, "", "compare", a, b, "--format", "csv").Out)).ReadAll()
	if err != nil || len(records) != 5 || strings.Join(records[0], " ") != "run "+columnsOfCompare+" off off_first" {
		t.Errorf("%v, %q", err, records)
	}
	text := clitest.Run(t, "", "compare", a, b).Out
	for _, part := range []string{"A  " + a, "B  " + b, "The workloads differ from tick", "They first differ at tick", "off_first", "on time"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// A run equals its own trace; an altered trace is compared as it is.
func TestCompareWithATrace(t *testing.T) {
	a := clitest.WriteFile(t, "a.json", clitest.Tiny)
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	if out := clitest.Run(t, trace, "compare", a, "-"); out.Code != 0 || !strings.Contains(out.Out, "They never differ") {
		t.Errorf("%+v", out)
	}
	other := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	if out := clitest.Run(t, other, "compare", a, "-"); out.Code != 0 || !strings.Contains(out.Out, "not what its scenario gives from line 3 on") || !strings.Contains(out.Out, `there A has`) {
		t.Errorf("%+v", out)
	}
}

func TestCompareTwoRefuses(t *testing.T) {
	a := clitest.WriteFile(t, "a.json", clitest.Tiny)
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	for _, c := range []struct{ in, b, want string }{
		{"", "-", "standard input: "},
		{strings.Replace(trace, `{"wheelscope":1`, `{"wheelscope":9`, 1), "-", "standard input: line 1: the trace is of version 9, expected 1\n"},
		{"", filepath.Join(t.TempDir(), "nothing"), "neither a file nor a built-in scenario"},
	} {
		out := clitest.Run(t, c.in, "compare", a, c.b)
		if out.Code != 2 || out.Out != "" || strings.Count(out.Err, "\n") != 1 || !strings.Contains(out.Err, c.want) {
			t.Errorf("%q: %+v", c.want, out)
		}
	}
	if out := clitest.Run(t, "", "compare", "-", "-"); out.Code != 2 || !strings.Contains(out.Err, "only once") {
		t.Errorf("%+v", out)
	}
	if out := clitest.Run(t, "", "compare", a, a, a); out.Code != 2 {
		t.Errorf("%+v", out)
	}
}

// If a timer is due at different ticks in the two runs, each tick is printed with its run.
func TestComparePrintsEachDue(t *testing.T) {
	a := clitest.WriteFile(t, "a.json", clitest.Tiny)
	for delay, part := range map[string]string{
		"3":  "over a: simple A has it due at 2 and fired it on time; simple B has it due at 3 and fired it on time.",
		"-1": "over a: simple A has it due at 2 and fired it on time; simple B has it due at -1 and fired it at 0, 1 tick late.",
	} {
		b := clitest.WriteFile(t, "b.json", strings.Replace(clitest.Tiny, `"delay":2`, `"delay":`+delay, 1))
		if out := clitest.Run(t, "", "compare", a, b); !strings.Contains(out.Out, part) || !strings.Contains(out.Out, "due "+delay+"\n") {
			t.Errorf("delay %s: no %q in\n%s%s", delay, part, out.Out, out.Err)
		}
	}
}

// Nothing is stated about ticks that were not compared, and lanes with other names keep them.
func TestCompareClaimsNoMore(t *testing.T) {
	a := clitest.WriteFile(t, "a.json", clitest.Tiny)
	b := clitest.WriteFile(t, "b.json", `{"wheelscope":1,"until":1,"lanes":[{"id":"other","algorithm":"sorted"}],"workload":{}}`)
	out := clitest.Run(t, "", "compare", a, b)
	for _, part := range []string{"Up to tick 1 they do not differ.", "lane other of B"} {
		if !strings.Contains(out.Out, part) {
			t.Errorf("no %q in\n%s%s", part, out.Out, out.Err)
		}
	}
}

// Any file that can be opened can be compared; a timer's name can't control the terminal.
func TestCompareOtherFiles(t *testing.T) {
	table := clitest.WriteFile(t, "w.csv", "at,id,delay\n0,a,5\n")
	if out := clitest.Run(t, "", "compare", table, table); out.Code != 0 || !strings.Contains(out.Out, "They never differ") {
		t.Errorf("%+v", out)
	}
	strange := strings.ReplaceAll(clitest.Tiny, `"timer":"a"`, `"timer":"a\u001b[2J"`)
	b := clitest.WriteFile(t, "b.json", strings.Replace(strange, `"delay":2`, `"delay":3`, 1))
	if out := clitest.Run(t, "", "compare", clitest.WriteFile(t, "a.json", strange), b); out.Code != 0 || strings.ContainsRune(out.Out, 0x1b) || !strings.Contains(out.Out, `a\x1b[2J`) {
		t.Errorf("%+v", out)
	}
}

// A lane's id is not a formula in a spreadsheet, and numbers stay numbers.
func TestCSVHoldsNoFormula(t *testing.T) {
	scenario := `{"wheelscope":1,"until":9,"lanes":[{"id":"=1+1","algorithm":"heap"},{"id":"\t@x","algorithm":"list"}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":1}]}}`
	file := clitest.WriteFile(t, "a.json", scenario)
	trace := filepath.Join(t.TempDir(), "a.jsonl")
	clitest.Run(t, "", "run", file, "-o", trace)
	altered := strings.Replace(scenario, `"delay":1`, `"delay":2`, 1)
	for _, c := range []struct {
		column int
		args   []string
	}{
		{0, []string{"compare", file, "--format", "csv"}},
		{1, []string{"compare", file, clitest.WriteFile(t, "b.json", altered), "--format", "csv"}},
		{1, []string{"export", trace, "--as", "csv"}},
	} {
		r := clitest.Run(t, "", c.args...)
		rows, err := csv.NewReader(strings.NewReader(r.Out)).ReadAll()
		if err != nil || r.Code != 0 || len(rows) < 3 {
			t.Fatalf("%v: %+v, %v", c.args, r, err)
		}
		if rows[1][c.column] != "'=1+1" || rows[2][c.column] != "'\t@x" {
			t.Errorf("%v: lanes %q and %q", c.args, rows[1][c.column], rows[2][c.column])
		}
	}
}
