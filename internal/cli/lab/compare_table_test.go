package lab_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// With COLUMNS a table fits; its pieces have every column once, in order, and one row per lane.
func TestTablesFit(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	for _, args := range []string{"compare three-slots", "compare lateness", "scenarios", "compare three-slots three-slots"} {
		r := clitest.Run(t, "", strings.Fields(args)...)
		_, tables, found := strings.Cut(r.Out, "\n\nrun")
		if !found {
			tables = r.Out
		}
		for line := range strings.Lines(tables) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("%s: a line of %d characters: %s", args, n, line)
			}
		}
	}
	pieces := strings.Split(clitest.Run(t, "", "compare", "three-slots").Out, "\n\n")
	pieces = pieces[:len(pieces)-1] // the last one is the verdict
	var columns []string
	for i, piece := range pieces {
		lines := strings.Split(strings.TrimSpace(piece), "\n")
		names := strings.Fields(lines[0])
		if names[0] != "lane" || len(lines) != 7 {
			t.Errorf("piece %d: %s", i, piece)
		}
		columns = append(columns, names[min(i, 1):]...)
	}
	if strings.Join(columns, " ") != columnsOfCompare {
		t.Errorf("columns %q", columns)
	}
	wide := clitest.Run(t, "", "compare", "three-slots", "--wide")
	t.Setenv("COLUMNS", "")
	if piped := clitest.Run(t, "", "compare", "three-slots"); piped != wide || strings.Count(wide.Out, "\n") < 10 {
		t.Errorf("--wide: %s\nwithout COLUMNS: %s", wide.Out, piped.Out)
	}
}

func TestTableColumns(t *testing.T) {
	r := clitest.Run(t, clitest.Tiny, "compare", "-", "--columns", "cost,lane")
	if want := "lane    cost\nsimple    10\nw         12\n"; r.Code != 0 || r.Out != want {
		t.Errorf("%+v", r)
	}
	for args, want := range map[string]string{
		"compare - --columns lane,csot":                   `--columns: "csot" is not one of lane, algorithm,`,
		"compare - --columns lane,csot --wide":            `; did you mean "cost"?`,
		"compare - --columns lane --format csv":           "--columns and --wide are for tables",
		"compare - --json --format csv":                   "--format and --json: only one of them can be given",
		"compare - --accept-late soon":                    `--accept-late: "soon" is neither a number of ticks nor a duration such as 5ms`,
		"compare three-slots three-slots --accept-late 1": "--accept-late is for one SCENARIO",
		"compare - --exit-code":                           "--exit-code needs A and B to compare",
		"scenarios --columns names":                       `"names" is not one of name, title, lanes; did you mean "name"?`,
		"compare three-slots three-slots --wide --json":   "--columns and --wide are for tables",
	} {
		if r := clitest.Run(t, clitest.Tiny, strings.Fields(args)...); r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, want) {
			t.Errorf("%s: %+v, want %q", args, r, want)
		}
	}
}

// The verdict counts timers that are late by no more than --accept-late as on time.
func TestCompareAcceptsLateness(t *testing.T) {
	const wide = `{"wheelscope":1,"lanes":[{"algorithm":"simple","width":4},{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":5}]}}`
	for late, want := range map[string]string{"0": "heap fired the one timer on time; simple fired 1 late, by up to 3 ticks.", "2": "by up to 3 ticks", "3": "Both fired the one timer on time.", "3ms": "Both fired"} {
		r := clitest.Run(t, wide, "compare", "-", "--accept-late", late)
		if r.Code != 0 || !strings.Contains(r.Out, want) || !strings.Contains(r.Out, "`wheelscope advise`") {
			t.Errorf("--accept-late %s: %+v", late, r)
		}
	}
}
