package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// compare --exit-code agrees with verify for a trace, and reports whether two scenarios are equal.
func TestCompareExitCode(t *testing.T) {
	a := write(t, "a.json", tinyScenario)
	trace := runProgram(t, tinyScenario, "run", "-").out
	altered := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	change := func(old, new string) string { return write(t, "b.json", strings.Replace(tinyScenario, old, new, 1)) }
	for _, c := range []struct {
		in, b string
		code  int
	}{
		{"", a, 0}, {"", write(t, "b.json", tinyScenario+"\n"), 0}, {trace, "-", 0}, {altered, "-", 1}, {trace[:len(trace)/2], "-", 2}, {"", "nowhere", 2},
		{"", change(`"delay":2`, `"delay":3`), 1}, {"", change(`"name":"tiny"`, `"until":9`), 1}, {"", change(`,{"id":"w","algorithm":"heap"}`, ""), 1},
		{"", change(`"slots":4`, `"slots":5`), 0}, {"", change(`"tiny"`, `"other"`), 0},
	} {
		r := runProgram(t, c.in, "compare", a, c.b, "--exit-code")
		if r.code != c.code || (r.out == "") != (c.code == 2) {
			t.Errorf("%s %.40q: exit %d, want %d: %s%s", c.b, c.in, r.code, c.code, r.out, r.err)
		}
		if c.b == "-" {
			if v := runProgram(t, c.in, "verify", "-"); v.code != c.code {
				t.Errorf("verify exits with %d, compare with %d", v.code, c.code)
			}
		}
	}
	if r := runProgram(t, altered, "compare", a, "-"); r.code != 0 {
		t.Errorf("without --exit-code: %d", r.code)
	}
}

// Lines of benchfmt are those of Go benchmarks: a name, iterations, and pairs of value and unit.
func TestCompareBenchfmt(t *testing.T) {
	line := regexp.MustCompile(`^BenchmarkCompare/lane=\S+/algorithm=\S+ 1( -?\d+ [a-z_0-9]+){13}$`)
	spaced := write(t, "b.json", strings.Replace(tinyScenario, `"id":"w"`, `"id":"a b/c"`, 1))
	for args, want := range map[string]int{"compare " + spaced: 2, "compare " + spaced + " three-slots": 7} {
		r := runProgram(t, "", append(strings.Fields(args), "--format", "benchfmt")...)
		n := 0
		for text := range strings.Lines(r.out) {
			switch text = strings.TrimSuffix(text, "\n"); {
			case line.MatchString(text):
				n++
			case !regexp.MustCompile(`^[a-z]+: \S`).MatchString(text):
				t.Errorf("%s: neither a key nor a benchmark: %s", args, text)
			}
		}
		if r.code != 0 || n != want || !strings.Contains(r.out, "lane=a_b_c/") || !strings.Contains(r.out, " cost ") {
			t.Errorf("%s: %d lines, %+v", args, n, r)
		}
	}
}

// A scenario and its trace are exported alike, and the file's name selects the format.
func TestExportScenario(t *testing.T) {
	trace := write(t, "t.jsonl", runProgram(t, tinyScenario, "run", "-").out)
	dir := t.TempDir()
	for _, name := range []string{"x.csv", "x.json", "x.json.gz", "x.html", "x.svg", "X.PNG"} {
		from := map[string]string{}
		for _, input := range []string{"-", trace} {
			out := filepath.Join(dir, name)
			if r := runProgram(t, tinyScenario, "export", input, "-o", out); r != (result{}) {
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
	if r := runProgram(t, "", "export", "three-slots", "--as", "csv"); r.code != 0 || !strings.HasPrefix(r.out, "tick,") {
		t.Errorf("a built-in: %+v", r)
	}
	for _, name := range []string{"x", "x.gz", "x.perfetto", "x.txt"} {
		if r := runProgram(t, "", "export", "three-slots", "-o", filepath.Join(dir, name)); r.code != 2 || !strings.Contains(r.err, `--as: "" is not one of`) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
