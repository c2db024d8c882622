package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/library"
)

// The site shows runs of scenarios with a wheel in Redis as they were recorded. Their traces equal
// those of the command line, byte for byte.
func TestSiteRecordings(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serveSite(t)
	folder, _ := writtenSite()
	n := 0
	for _, b := range library.Builtins() {
		if !slices.Contains(b.Algorithms, "redis") {
			continue
		}
		n++
		if got := readFile(t, filepath.Join(folder, "lab", b.Name, "trace.jsonl")); !bytes.Equal(got, command(t, nil, "run", b.Name)) {
			t.Errorf("%s: the trace differs from that of the command line", b.Name)
		}
	}
	if n == 0 {
		t.Error("no scenario has a wheel in Redis")
	}
	in := builtin(t, "redis-same-key")
	p := openSite(t, s, "?view=lab&scenario=redis-same-key&t=3&lang=en")
	p.shows("the tick in the address", in.atTick(t, 3))
	p.wait(`document.querySelector(".recorded").textContent.includes("wheelscope serve")`)
	p.press(".")
	p.shows("an event", in.atSeq(t, seqAfter(t, in, 3)))
	p.openTab("Log")
	p.wait(`document.querySelectorAll("#log li").length > 0`)
	p.run(`document.querySelector("[data-lang-to=zh]").click()`)
	p.wait(`document.documentElement.lang === "zh-Hans" && document.querySelector("main").dataset.settled === "true"`)
	p.wait(`document.querySelector(".recorded").textContent.includes("浏览器无法运行 Redis")`)
	p.shows("the same event in Chinese", in.atSeq(t, seqAfter(t, in, 3)))
}

// seqAfter returns the first event after a tick.
func seqAfter(t *testing.T, in *instants, tick int64) int64 {
	t.Helper()
	seq, err := in.run.SeqAt(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	return seq + 1
}

// large returns a scenario of so many timers in its two lanes that the user is asked before it is computed.
func large(count int) string {
	return fmt.Sprintf(`{"wheelscope":1,"name":"large","until":4000000,"lanes":[{"algorithm":"heap"},{"algorithm":"hierarchical"}],
		"workload":{"generate":[{"prefix":"t","seed":1,"count":%d,"arrivals":{"dist":"constant","every":1},"delay":{"dist":"constant","value":1}}]}}`, count)
}

// A run of more than 2,000,000 timers or 1 GB is announced before it starts. It can
// be cancelled then, and while it is computed. The page can be used afterwards.
func TestSiteAnnouncesLargeRuns(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serveSite(t)
	dir := t.TempDir()
	p := openSite(t, s, "lab/?lang=en")
	line := func(state, words string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector(".pass[data-state=%s]")?.textContent.includes(%q)`, state, words))
	}
	p.upload(dir+"/large.json", large(1_100_000))
	line("announced", "The scenario large has ")
	if text := eval[string](p, `document.querySelector(".pass").textContent`); !regexp.MustCompile(`has 1100000 timers in 2 lanes: .* up to [\d.]+ MB of`).MatchString(text) {
		t.Errorf("the estimate is %q", text)
	}
	p.button("Cancel")
	p.wait(`!document.querySelector(".pass")`)

	p.upload(dir+"/larger.json", large(1_200_000)) // another is opened, and cancelled while it is computed
	line("announced", "it may take long")
	p.button("Compute it")
	line("running", "is being computed in this browser")
	p.run(`new Promise((done) => setTimeout(done, 500))`)
	p.button("Cancel")
	p.wait(`!document.querySelector(".pass")`)
	p.slide(3) // what was computed is shown
	p.wait(`document.querySelector("section[data-lane=heap] [data-total=fired]").textContent.includes("3")`)

	p = openSite(t, s, "lab/?lang=zh")
	p.upload(dir+"/many.json", `{"wheelscope":1,"name":"many","until":10,"lanes":[`+manyLanes(24)+`],"workload":{"generate":[{"prefix":"c","seed":1,"count":82000,
		"arrivals":{"dist":"uniform","min":0,"max":10},"delay":{"dist":"constant","value":900000}}]}}`)
	line("announced", "GB 内存")
	if text := eval[string](p, `document.querySelector(".pass").textContent`); !regexp.MustCompile(`24 条泳道：.*最多需要此浏览器的 \d\.\d+ GB 内存`).MatchString(text) { // its memory alone is over a limit
		t.Errorf("the estimate is %q", text)
	}
	p.button("取消")
	p.wait(`!document.querySelector(".pass")`)
	p.upload(dir+"/small.json", string(builtin(t, "three-slots").run.Program().Scenario.AppendJSON(nil)))
	p.becomes("a small scenario afterwards", builtin(t, "three-slots").atSeq(t, 0))
	p.press(".")
	p.atSeq(1)
}

// manyLanes returns n lanes as JSON.
func manyLanes(n int) string {
	var lanes []string
	for k := range n {
		lanes = append(lanes, fmt.Sprintf(`{"id":"l%d","algorithm":"rounds","slots":40000}`, k))
	}
	return strings.Join(lanes, ",")
}

// The links of the file menu save files. What only a server can do is refused with one line.
func TestSiteSaves(t *testing.T) {
	soak(t)
	t.Parallel()
	p := openSite(t, serveSite(t), "?scenario=three-slots&lang=en")
	p.run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "blob:none"; };
		HTMLAnchorElement.prototype.click = function () { window.named = this.download; }`)
	p.run(`document.getElementById("export-trace").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
	p.wait(`window.saved.length === 1 && window.named === "three-slots.jsonl"`)
	if got := eval[string](p, `saved[0]`); got != string(command(t, nil, "run", "three-slots")) {
		t.Error("the saved trace differs from that of the command line")
	}
	for lang, words := range map[string]string{"en": "another process", "zh": "另一进程"} {
		p.open(p.address("?scenario=three-slots&lang=" + lang))
		if text := eval[string](p, `document.querySelector("[data-offline]").textContent`); !strings.Contains(text, words) || strings.Contains(text, "\n") {
			t.Errorf("%s: the note is %q", lang, text)
		}
	}
}

// address returns the URL of an address of the site that the tab shows.
func (p *tab) address(path string) string {
	p.Helper()
	return eval[string](p, `location.origin`) + siteBase + "/" + path
}

// Every page of the site has the same strict policy: scripts of the site, its own inline scripts by their
// digests, WebAssembly, and nothing else.
func TestSitePolicy(t *testing.T) {
	t.Parallel()
	if _, err := writtenSite(); err != nil {
		t.Fatal(err)
	}
	folder, _ := writtenSite()
	scripts := regexp.MustCompile(`script-src (&#39;self&#39; &#39;wasm-unsafe-eval&#39;( &#39;sha256-[A-Za-z0-9+/=]{44}&#39;)*);`)
	const rest = `default-src &#39;none&#39;; ; style-src &#39;self&#39;; img-src &#39;self&#39; data: blob:; media-src blob:; font-src &#39;self&#39;; connect-src &#39;self&#39;; worker-src &#39;self&#39;; ` +
		`manifest-src &#39;self&#39;; frame-src &#39;self&#39;; base-uri &#39;none&#39;; form-action &#39;self&#39;`
	n := 0
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		n++
		html, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		_, policy, found := strings.Cut(string(html), `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`)
		policy, _, _ = strings.Cut(policy, `"`)
		if got := strings.TrimSuffix(scripts.ReplaceAllString(policy+";", ";"), ";"); !found || got != rest {
			t.Errorf("%s: the policy is %s", name, policy)
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Errorf("%d pages, error %v", n, err)
	}
}

// The site works on another static file server, at its root.
func TestSiteOnPythonsServer(t *testing.T) {
	soak(t)
	t.Parallel()
	if _, err := writtenSite(); err != nil { // for the engine
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeSite(dir, "/"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", dir, "0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	first, err := bufio.NewReader(out).ReadString('\n')
	m := regexp.MustCompile(`port (\d+)`).FindStringSubmatch(first)
	if m == nil {
		t.Fatalf("the server prints %q, error %v", first, err)
	}
	in := builtin(t, "three-slots")
	p := newTab(t)
	p.onSite = true
	p.open("http://127.0.0.1:" + m[1] + "/zh/lab/three-slots/")
	p.press(".")
	p.shows("an event", in.atSeq(t, 1))
}
