package e2e

import (
	"encoding/base64"
	"fmt"
	"testing"
)

// drawnBySite is a script that requests a file about the run on the site's page, as the page does,
// and returns it in base64.
const drawnBySite = `(async () => {
	const script = document.querySelector('script[src$="/lab/site-app.js"]').src;
	const { request } = await import(script);
	const run = new URL(document.getElementById("export-trace").href).searchParams.get("run");
	const answer = await request(document.body.dataset.base + "/%s&run=" + run);
	if (!answer.ok) return answer.text();
	const bytes = new Uint8Array(await answer.arrayBuffer());
	let text = "";
	for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
	return btoa(text);
})()`

// What the site exports equals what the command line writes, byte for byte. Pictures and players
// come from the full engine, which is loaded only for them.
func TestSiteExports(t *testing.T) {
	t.Parallel()
	p := openSite(t, serveSite(t), "lab/three-slots/")
	loaded := func() bool {
		return eval[bool](p, `performance.getEntriesByType("resource").some((e) => e.name.endsWith("/full.wasm.pack"))`)
	}
	for _, as := range []string{"perfetto", "csv"} {
		if want := command(t, nil, "export", "three-slots", "--as", as); string(p.download("export-"+as)) != string(want) {
			t.Errorf("%s differs from the command line's", as)
		}
	}
	if want := command(t, nil, "run", "three-slots"); string(p.download("export-trace")) != string(want) {
		t.Error("the trace differs from the command line's")
	}
	if loaded() {
		t.Error("the full engine is loaded before a picture or a player is saved")
	}
	if want := command(t, nil, "export", "three-slots", "--as", "html", "-o", "-"); string(p.download("export-html")) != string(want) {
		t.Error("the player differs from the command line's")
	}
	text := eval[string](p, fmt.Sprintf(drawnBySite, "picture?lane=heap&t=2&size=800&as=svg"))
	got, err := base64.StdEncoding.DecodeString(text)
	want := command(t, nil, "export", "three-slots", "--as", "svg", "--lane", "heap", "--at", "2", "--size", "800", "-o", "-")
	if err != nil || string(got) != string(want) {
		t.Errorf("%d bytes, want the %d of the command line (%v): %.200s", len(got), len(want), err, text)
	}
	if got := eval[string](p, `(async () => (`+fmt.Sprintf(drawnBySite, "picture?lane=none&as=svg")+`))()`); got == "" || got[:5] != "lane:" {
		t.Errorf("a picture of a lane that does not exist: %q", got)
	}
	p.run(`window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.download); }`)
	p.run(`document.querySelector("#picture-lane").value = "heap"; document.querySelector("#picture-png").click()`)
	p.wait(`saved.length === 1 && /^heap-.*[.]png$/.test(saved[0])`)
}

// The site opens traces, workloads, exports and kernel traces, and names the line of an invalid one.
func TestSiteImports(t *testing.T) {
	soak(t)
	t.Parallel()
	p := openSite(t, serveSite(t), "lab/three-slots/")
	dir := t.TempDir()
	p.upload(dir+"/bad.csv", "at,op,id,delay\n0,schedule,a,5\n1,schedule,b,soon\n")
	p.wait(importText + `.includes('line 3: delay: "soon" is not ticks')`)
	p.run(`document.getElementById("import").close()`)
	p.upload(dir+"/mine.csv", "at,op,id,delay,every,times\n0,schedule,a,2,,\n1,schedule,b,1,2,2\n")
	p.wait(importText + `.includes("2 operations on 2 timers, up to tick 6")`)
	p.run(`document.getElementById("import").close()`)
	trace := command(t, nil, "run", "crowded-slot")
	for name, text := range map[string]string{"crowded.jsonl": string(trace), "crowded.json": string(command(t, trace, "export", "-", "--as", "perfetto"))} {
		p.upload(dir+"/"+name, text)
		p.wait(`document.getElementById("toast").textContent.includes("` + name + `: ")`)
		p.becomes("the run in "+name, builtin(t, "crowded-slot").atSeq(t, 0))
		p.upload(dir+"/mine.csv", "at,op,id,delay\n0,schedule,a,2\n")
		p.wait(`document.getElementById("title").textContent === "mine"`)
		p.run(`document.getElementById("import").close()`)
	}
	p.upload(dir+"/kernel.txt", "bash-1 [000] 10.000000: timer_start: timer=0xffff1 function=f expires=1012 [timeout=12]\nbash-1 [000] 10.004000: timer_cancel: timer=0xffff1\n")
	p.wait(`document.getElementById("title").textContent === "kernel"`)
}
