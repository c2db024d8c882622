package e2e

import (
	"fmt"
	"testing"
)

// The user is asked once for each large run, although the engine for pictures computes it again.
// The user is asked again about a run that was cancelled.
func TestSiteAsksOnce(t *testing.T) {
	soak(t)
	t.Parallel()
	p := openSite(t, serveSite(t), "lab/?lang=en")
	got := eval[[]string](p, `(async () => {
		const script = document.querySelector('script[src$="/lab/site-app.js"]').src;
		const { Passes } = await import(script.replace("/bundle/lab/site-app.js", "/js/site/transport.js"));
		const agreed = new Set(), decided = [];
		const [first, second] = ["first", "second"].map((name) => new Passes((number, start) => decided.push(name + " " + number + " " + start), agreed));
		const pass = (number, state) => ({ number, run: "run", state, name: "large", seconds: 12, memory: "1 MB" });
		const press = (words) => [...document.querySelectorAll(".pass button")].find((b) => b.textContent === words).click();
		first.take(pass(1, "announced"));
		press("site.pass.start"); // this module has no texts, unlike that in the bundle
		first.take(pass(1, "ended"));
		second.take(pass(2, "announced"));
		second.take(pass(2, "running"));
		press("site.pass.cancel");
		second.take(pass(2, "ended"));
		second.take(pass(3, "announced"));
		return decided;
	})()`)
	if fmt.Sprint(got) != "[first 1 true second 2 true second 2 false]" {
		t.Errorf("the decisions are %q", got)
	}
	p.wait(`document.querySelector(".pass[data-state=announced]")`)
}
