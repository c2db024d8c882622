package cli_test

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

// The error of a mistyped name suggests the most similar name, in one line. If no name is similar
// it suggests none.
func TestSuggestions(t *testing.T) {
	lane := func(algorithm string) string {
		return strings.Replace(clitest.Tiny, `"algorithm":"heap"`, `"algorithm":"`+algorithm+`"`, 1)
	}
	for _, c := range []struct{ args, in, near string }{
		{"run heartbeets", "", "heartbeats"}, {"export three-slot --as csv", "", "three-slots"}, {"serve two-n", "", "two-m"},
		{"run -", lane("heapp"), "heap"}, {"check -", lane("hierachical"), "hierarchical"}, {"compare -", lane("sundial"), ""},
		{"export three-slots --as svg --lane simpel", "", "simple"}, {"export three-slots --as pefetto", "", "perfetto"},
		{"export three-slots --as svg --theme drak", "", "dark"}, {"comapre three-slots", "", "compare"},
		{"task lst", "", "list"}, {"wheel resum w", "", "resume"}, {"run --ouput x", "", "--output"}, {"serve --adr x", "", "--addr"},
		{"run --zzzzzz", "", ""}, {"run no-such-thing-at-all", "", ""}, {"run " + strings.Repeat("x", 1<<16), "", ""},
	} {
		r := clitest.Run(t, c.in, strings.Fields(c.args)...)
		near := `did you mean "` + c.near + `"?`
		if strings.HasPrefix(c.near, "--") {
			near = "did you mean " + c.near + "?"
		}
		if r.Code != 2 || strings.Count(r.Err, "\n") != 1 || c.near != "" && !strings.Contains(r.Err, near) || c.near == "" && strings.Contains(r.Err, "did you mean") {
			t.Errorf("%.60s: %d %.300s, want %q", c.args, r.Code, r.Err, c.near)
		}
	}
}

func TestCompletionOfNames(t *testing.T) {
	trace := clitest.WriteFile(t, "t.jsonl", clitest.Run(t, clitest.Tiny, "run", "-").Out)
	for args, want := range map[string]string{
		"export three-slots --lane ":   "simple\tsimple\nrounds\trounds\n",
		"export " + trace + " --lane ": "simple\tsimple\nw\theap\n",
		"export nowhere --lane ":       ":4\n",
		"export x --theme ":            "light\ndark\n",
		"export x --lang ":             "en\nzh\n",
		"export three":                 "three-slots\t",
		"check three":                  "three-slots\t",
		"serve three":                  "three-slots\t",
		"compare x --format ":          "table\ncsv\njson\nbenchfmt\n",
		"compare x --columns l":        "lane\n",
	} {
		if r := clitest.Run(t, "", append([]string{"__complete"}, strings.Split(args, " ")...)...); !strings.HasPrefix(r.Out, want) && !strings.Contains(r.Out, "\n"+want) {
			t.Errorf("%s<TAB> gives %q, want %q", args, r.Out, want)
		}
	}
}
