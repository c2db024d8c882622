package lab_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// compare --exit-code agrees with verify for a trace, and reports whether two scenarios are equal.
func TestCompareExitCode(t *testing.T) {
	a := clitest.WriteFile(t, "a.json", clitest.Tiny)
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	altered := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	change := func(old, new string) string {
		return clitest.WriteFile(t, "b.json", strings.Replace(clitest.Tiny, old, new, 1))
	}
	for _, c := range []struct {
		in, b string
		code  int
	}{
		{"", a, 0}, {"", clitest.WriteFile(t, "b.json", clitest.Tiny+"\n"), 0}, {trace, "-", 0}, {altered, "-", 1}, {trace[:len(trace)/2], "-", 2}, {"", "nowhere", 2},
		{"", change(`"delay":2`, `"delay":3`), 1}, {"", change(`"name":"tiny"`, `"until":9`), 1}, {"", change(`,{"id":"w","algorithm":"heap"}`, ""), 1},
		{"", change(`"slots":4`, `"slots":5`), 0}, {"", change(`"tiny"`, `"other"`), 0},
	} {
		r := clitest.Run(t, c.in, "compare", a, c.b, "--exit-code")
		if r.Code != c.code || (r.Out == "") != (c.code == 2) {
			t.Errorf("%s %.40q: exit %d, want %d: %s%s", c.b, c.in, r.Code, c.code, r.Out, r.Err)
		}
		if c.b == "-" {
			if v := clitest.Run(t, c.in, "verify", "-"); v.Code != c.code {
				t.Errorf("verify exits with %d, compare with %d", v.Code, c.code)
			}
		}
	}
	if r := clitest.Run(t, altered, "compare", a, "-"); r.Code != 0 {
		t.Errorf("without --exit-code: %d", r.Code)
	}
}

// Lines of benchfmt are those of Go benchmarks: a name, iterations, and pairs of value and unit.
func TestCompareBenchfmt(t *testing.T) {
	line := regexp.MustCompile(`^BenchmarkCompare/lane=\S+/algorithm=\S+ 1( -?\d+ [a-z_0-9]+){17}$`)
	spaced := clitest.WriteFile(t, "b.json", strings.Replace(clitest.Tiny, `"id":"w"`, `"id":"a b/c"`, 1))
	for args, want := range map[string]int{"compare " + spaced: 2, "compare " + spaced + " three-slots": 7} {
		r := clitest.Run(t, "", append(strings.Fields(args), "--format", "benchfmt")...)
		n := 0
		for text := range strings.Lines(r.Out) {
			switch text = strings.TrimSuffix(text, "\n"); {
			case line.MatchString(text):
				n++
			case !regexp.MustCompile(`^[a-z]+: \S`).MatchString(text):
				t.Errorf("%s: neither a key nor a benchmark: %s", args, text)
			}
		}
		if r.Code != 0 || n != want || !strings.Contains(r.Out, "lane=a_b_c/") || !strings.Contains(r.Out, " cost ") {
			t.Errorf("%s: %d lines, %+v", args, n, r)
		}
	}
}

// A scenario and its trace are exported alike, and the file's name selects the format.
func TestExportScenario(t *testing.T) {
	trace := clitest.WriteFile(t, "t.jsonl", clitest.Run(t, clitest.Tiny, "run", "-").Out)
	dir := t.TempDir()
	for _, name := range []string{"x.csv", "x.json", "x.json.gz", "x.html", "x.svg", "X.SVG"} {
		from := map[string]string{}
		for _, input := range []string{"-", trace} {
			out := filepath.Join(dir, name)
			if r := clitest.Run(t, clitest.Tiny, "export", input, "-o", out); r != (clitest.Result{}) {
				t.Fatalf("%s: %+v", name, r)
			}
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			from[input] = string(data)
		}
		if from["-"] != from[trace] {
			t.Errorf("%s: the scenario gives %d bytes, its trace %d", name, len(from["-"]), len(from[trace]))
		}
	}
	if r := clitest.Run(t, "", "export", "three-slots", "--as", "csv"); r.Code != 0 || !strings.HasPrefix(r.Out, "tick,") {
		t.Errorf("a built-in: %+v", r)
	}
	for name, extension := range map[string]string{"x": "(none)", "x.gz": "(none)", "x.perfetto": ".perfetto", "x.txt": ".txt", "x.Txt.gz": ".txt"} {
		want := fmt.Sprintf("%s: the extension %s is not one of .csv, .html, .json, .svg; --as names", name, extension)
		if r := clitest.Run(t, "", "export", "three-slots", "-o", filepath.Join(dir, name)); r.Code != 2 || !strings.Contains(r.Err, want) {
			t.Errorf("%s: %+v, want %s", name, r, want)
		}
	}
}
