package lab_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
)

func TestExport(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	r := clitest.Run(t, trace, "export", "-", "--as", "csv")
	if rows := strings.Split(r.Out, "\n"); r.Code != 0 || !strings.HasPrefix(rows[0], "tick,lane,algorithm,waiting,") || !strings.HasPrefix(rows[1], "0,simple,simple,") {
		t.Errorf("csv: %+v", r)
	}
	name := filepath.Join(t.TempDir(), "trace.json")
	if r := clitest.Run(t, trace, "export", "-", "--as", "perfetto", "-o", name); r.Code != 0 || r.Out != "" {
		t.Fatalf("perfetto: %+v", r)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ TraceEvents []map[string]any }
	if err := json.Unmarshal(data, &file); err != nil || len(file.TraceEvents) == 0 {
		t.Errorf("perfetto: %v, %d events", err, len(file.TraceEvents))
	}
}

// A failed export prints one line, and leaves no file.
func TestExportRefuses(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	other := strings.Replace(trace, `"slot":2,"due":2`, `"slot":3,"due":2`, 1)
	dir := t.TempDir()
	name := filepath.Join(dir, "out.csv")
	for _, c := range []struct {
		in   string
		args []string
		err  string
	}{
		{other, []string{"export", "-", "--as", "csv", "-o", name}, "line 3 differs from the run of its scenario"},
		{trace[:100], []string{"export", "-", "--as", "csv", "-o", name}, "line 1: "},
		{trace, []string{"export", "-", "--as", "xml"}, `--as: "xml" is not one of csv, html, perfetto, svg`},
		{trace, []string{"export", "-"}, "--as is missing: the format is one of csv, html, perfetto, svg"},
		{trace, []string{"export", dir, "--as", "csv"}, "is a directory, expected a trace"},
		{trace, []string{"export", "-", "--as", "csv", "-o", dir}, "the name is that of a directory"},
	} {
		r := clitest.Run(t, c.in, c.args...)
		if r.Code != 2 || !strings.Contains(r.Err, c.err) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", c.args, r, c.err)
		}
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a file is left behind")
	}
}

// A picture shows a lane at a tick or an event; a page has the whole run.
func TestExportPictures(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	r := clitest.Run(t, trace, "export", "-", "--as", "svg", "--at", "1", "--size", "300", "--theme", "dark", "--lang", "zh")
	if r.Code != 0 || !strings.HasPrefix(r.Out, `<svg xmlns="http://www.w3.org/2000/svg" width="300"`) || !strings.Contains(r.Out, ">t = 1<") || !strings.Contains(r.Out, "个等待<") {
		t.Errorf("svg: %d %s %.300s", r.Code, r.Err, r.Out)
	}
	if r := clitest.Run(t, trace, "export", "-", "--as", "html"); r.Code != 0 || !strings.HasPrefix(r.Out, "<!DOCTYPE html>") {
		t.Errorf("html: %d %s", r.Code, r.Err)
	}
}

func TestExportPicturesRefuses(t *testing.T) {
	trace := clitest.Run(t, clitest.Tiny, "run", "-").Out
	for want, args := range map[string][]string{
		"--lane: --as csv takes no --lane":              {"csv", "--lane", "simple"},
		"--size: 9 is not between 64 and 4096":          {"svg", "--size", "9"},
		`--theme: "sepia" is not one of light, dark`:    {"svg", "--theme", "sepia"},
		`--lang: "fr" is not one of en, zh`:             {"svg", "--lang", "fr"},
		"--at: -3 is not a whole number, 0 or more":     {"svg", "--at", "-3"},
		"t: 99999 is past the end":                      {"svg", "--at", "99999"},
		`lane: "none" is not one of`:                    {"svg", "--lane", "none"},
		"--at and --seq: only one of them can be given": {"svg", "--at", "1", "--seq", "1"},
	} {
		r := clitest.Run(t, trace, append([]string{"export", "-", "--as"}, args...)...)
		if r.Code != 2 || !strings.Contains(r.Err, want) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", args, r, want)
		}
	}
}

// Names and titles may contain characters that XML and HTML do not allow.
func TestExportOfStrangeNames(t *testing.T) {
	strange := strings.NewReplacer(`"timer":"a"`, `"timer":"bell\u0007"`, `"name":"tiny"`, `"name":"tiny","title":"nul\u0000"`).Replace(clitest.Tiny)
	trace := clitest.Run(t, strange, "run", "-").Out
	svg := clitest.Run(t, trace, "export", "-", "--as", "svg", "--at", "0")
	if err := xml.Unmarshal([]byte(svg.Out), new(struct{})); svg.Code != 0 || err != nil {
		t.Errorf("svg: %v, %s", err, svg.Err)
	}
	html := clitest.Run(t, trace, "export", "-", "--as", "html")
	if r := clitest.Run(t, html.Out, "import", "-"); r.Code != 0 {
		t.Errorf("html: %s", r.Err)
	}
	for at, says := range map[string]string{"--at 99999": "--at: 99999 is past the end", "--lane nope": "--lane: "} {
		if r := clitest.Run(t, trace, append([]string{"export", "-", "--as", "svg"}, strings.Fields(at)...)...); r.Code != 2 || !strings.HasPrefix(r.Err, "wheelscope: "+says) {
			t.Errorf("%s: %+v", at, r)
		}
	}
}

// A lecture is one page with its runs. A stop that cannot be in it is named in one line, before anything is written.
func TestExportLecture(t *testing.T) {
	r := clitest.Run(t, "", "export", "five-faults", "--as", "html")
	if r.Code != 0 || !strings.Contains(r.Out, `<script id="lecture"`) || strings.Contains(r.Out, `<script id="trace"`) {
		t.Errorf("%d %s", r.Code, r.Err)
	}
	const lecture = `{"wheelscope":1,"kind":"lecture","title":"T","scenarios":{%SCENARIOS%},"stops":[{"scenario":"reach","title":"A","note":"B"},{%STOP%,"title":"C","note":"D"}]}`
	large := `{"wheelscope":1,"until":600000,"lanes":[{"algorithm":"heap"},{"algorithm":"hierarchical"}],"workload":{"generate":[{"prefix":"t","seed":1,"count":600000,"arrivals":{"dist":"constant","value":1},"delay":{"dist":"constant","value":9}}]}}`
	p, err := program.Load([]byte(large))
	if err != nil {
		t.Fatal(err)
	}
	digest := p.Digest()[:sim.DigestShort]
	dir := t.TempDir()
	for _, c := range []struct{ scenarios, stop, as, err string }{
		{"", `"scenario":"reach","tick":9999`, "html", "stops[1].tick: 9999 is not a tick of the scenario"},
		{"", `"scenario":"reach","lane":"none"`, "html", `stops[1].lane: "none" is not a lane of the scenario`},
		{"", `"scenario":"reach"`, "csv", "--as: a lecture is written as html, not as csv"},
		{"", `"scenario":"reach","tik":1`, "html", `stops[1].tik`},
		{`"` + digest + `":` + large, `"run":"` + digest + `"`, "html", "stops[1]: the runs up to this stop have 24"},
	} {
		text := strings.NewReplacer("%SCENARIOS%", c.scenarios, "%STOP%", c.stop).Replace(lecture)
		out := filepath.Join(dir, "out.html")
		r := clitest.Run(t, text, "export", "-", "--as", c.as, "-o", out)
		if r.Code != 2 || !strings.Contains(r.Err, c.err) || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", c.stop, r, c.err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a file is left behind", c.stop)
		}
	}
}
