package lab_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim/advise"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// Counted only, the advice is the same each time; the table and JSON have the recommendation first.
func TestAdvise(t *testing.T) {
	args := strings.Fields("advise three-slots --no-time")
	text, again := clitest.Run(t, "", args...), clitest.Run(t, "", args...)
	if text.Code != 0 || text != again || !strings.HasPrefix(text.Out, "Use ") || !strings.Contains(text.Out, "\nGo:\n  w") || !strings.Contains(text.Out, "\nstructure ") {
		t.Errorf("%+v\n%+v", text, again)
	}
	var r advise.Report
	asJSON := clitest.Run(t, "", append(args, "--json")...)
	if err := json.Unmarshal([]byte(asJSON.Out), &r); err != nil || r.Workload != "three-slots" || len(r.Words) < 3 || !r.Best.Equal || len(r.Rows) < 10 || r.Machine != "" {
		t.Errorf("%v, %+v", err, r)
	}
	page := filepath.Join(t.TempDir(), "advice.html")
	withPage := clitest.Run(t, "", append(args, "--html", page)...)
	html, err := os.ReadFile(page)
	if err != nil || withPage != text || strings.Count(string(html), "<circle") <= len(r.Rows) || !strings.Contains(string(html), r.Words[0]) {
		t.Errorf("%v, %+v\n%s", err, withPage, html)
	}
	csv := clitest.Run(t, "at,op,id,delay\n0,schedule,a,5ms\n1ms,reset,a,5ms\n", "advise", "-", "--no-time", "--columns", "structure,late")
	if csv.Code != 0 || !strings.Contains(csv.Out, "structure") {
		t.Errorf("%+v", csv)
	}
}

// Bad input is one clear line.
func TestAdviseRefuses(t *testing.T) {
	const steady = "advise --pending 10 --delay 1s --no-time "
	for args, want := range map[string]string{
		"advise":                                                  "advise needs either one WORKLOAD, or --pending and --delay",
		"advise three-slots --pending 5":                          "advise needs either one WORKLOAD, or --pending and --delay",
		"advise three-slots --reset-share 0.5":                    "--reset-share goes with --pending and --delay; a WORKLOAD was given",
		"advise nowhere":                                          "neither a file nor a built-in scenario",
		"advise --pending -1 --delay 1s":                          "--pending: -1 is not between 1 and",
		"advise --pending 5":                                      "--delay: 0s is not between",
		steady + "--reset-share 0.7 --cancel-share 0.7":           "--cancel-share: 0.7 is not between",
		steady + "--accept-late -1s":                              "--accept-late: -1s is not 0 or more",
		steady + "--memory-max 5furlongs":                         `--memory-max: "5furlongs" is not a number of bytes such as 16MB`,
		"advise three-slots --no-time --memory-max 10B":           "--memory-max 10 B: no structure meets it; the nearest is ",
		steady + "--worst-tick-max -4":                            "--worst-tick-max: -4 is not 0 or more",
		steady + "--scale 0":                                      "--scale: 0 is not between 1 and",
		"advise --pending 2000 --delay 1s --scale 1000 --no-time": "expected at most",
	} {
		if r := clitest.Run(t, "", strings.Fields(args)...); r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, want) {
			t.Errorf("%s: %+v, want %q", args, r, want)
		}
	}
}

// A file that is no workload, or only a part of one, is one clear line, and no page is written.
func TestAdviseRefusesFiles(t *testing.T) {
	var whole bytes.Buffer
	w := recording.NewWriter(&whole)
	w.Block(0, []recording.Event{{Delay: time.Second, Timer: 1, Kind: recording.Schedule}, {At: time.Second, Timer: 1, Kind: recording.Stop}}, 0)
	w.End(2 * time.Second)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if r := clitest.Run(t, whole.String(), "advise", "-", "--no-time"); r.Code != 0 || !strings.Contains(r.Out, "the whole workload: 2 operations") || !strings.Contains(r.Err, "2 events in 2s") {
		t.Errorf("%+v", r)
	}
	for want, text := range map[string]string{
		"standard input: the recording is cut off after 2 events; expected one that was stopped": whole.String()[:whole.Len()-4],
		"standard input: the recording is damaged after event 0":                                 recording.Magic + "Q",
		"standard input: the file is not text; expected ":                                        "\x7fELF\x00\x01",
		"standard input: the file is empty":                                                      "",
		"the workload schedules no timer":                                                        `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{}}`,
	} {
		page := filepath.Join(t.TempDir(), "advice.html")
		r := clitest.Run(t, text, "advise", "-", "--no-time", "--html", page)
		if _, err := os.Stat(page); r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 || !strings.Contains(r.Err, want) || !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %+v, %v", want, r, err)
		}
	}
}
