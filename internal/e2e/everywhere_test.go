package e2e

import "testing"

// everywhere are the cases that are tested on a server and on the static site: every function that
// both have. base is the URL of the laboratory, without a slash at its end. The short form runs those with site also on
// the site: each uses another part of its engine.
var everywhere = []struct {
	name string
	test func(t *testing.T, base string)
	site bool
}{
	{"every event forward and back", testEventsForwardAndBack, false},
	{"every step forward and back", testStepsForwardAndBack, false},
	{"keys", testKeys, true},
	{"play and pause", testSpaceKey, true},
	{"run until", testRunUntil, false},
	{"run until a timer", testRunUntilATimer, false},
	{"add and cancel a timer", testTimerByHand, true},
	{"reset and replace a timer", testReset, false},
	{"branches", testBranchesInTwoTabs, false},
	{"a workload", testWorkloadForm, true},
	{"files", testFilesFromElsewhere, true},
	{"compare", testComparePane, true},
	{"verdict", testSummaryAtTheEnd, false},
	{"a lecture", testLectureByKey, true},
	{"a lecture of the user", testLectureOfTheUser, false},
	{"a question", testQuestion, true},
	{"downloads", testDownloads, true},
}

// TestEverywhere runs the cases on a server and on the site, each case in its own tabs.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) string{
		"server": func(t *testing.T) string { return serve(t).url },
		"site":   func(t *testing.T) string { return serveSite(t).URL + siteBase },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := start(t)
			for _, c := range everywhere {
				if name == "site" && !c.site && !longForm() {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.test(t, base)
				})
			}
		})
	}
}

// testQuestion answers a question about what the run does next and goes on to the next one.
func testQuestion(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=three-slots&t=2&lang=zh")
	p.press("q")
	p.wait(openQuestion)
	asked := p.text("ask-words")
	p.button("揭晓")
	p.wait(`document.querySelector("main").dataset.asking === "answered"`)
	p.button("下一题")
	p.wait(openQuestion + ` && document.getElementById("ask-words").textContent !== ` + quote(asked))
}

// testDownloads follows the links of the file menu: the files are those of the command line.
func testDownloads(t *testing.T, base string) {
	p := newTab(t)
	p.open(base + "/?view=lab&scenario=crowded-slot&lang=en")
	trace := command(t, nil, "run", "crowded-slot")
	for what, want := range map[string][]byte{
		"trace":    trace,
		"csv":      command(t, trace, "export", "-", "--as", "csv"),
		"perfetto": command(t, trace, "export", "-", "--as", "perfetto"),
		"scenario": builtin(t, "crowded-slot").run.Program().Scenario.AppendFile(nil),
	} {
		got := eval[string](p, `(async () => {
			const site = document.querySelector("script[src$='/site-app.js']");
			const { request } = site ? await import(site.src) : { request: fetch };
			const answer = await request(document.getElementById("export-`+what+`").getAttribute("href"));
			return answer.headers.get("Content-Disposition").split("=")[0] + "\n" + await answer.text();
		})()`)
		if got != "attachment; filename\n"+string(want) {
			t.Errorf("%s: %d bytes, want %d: %.200q", what, len(got), len(want), got)
		}
	}
}
