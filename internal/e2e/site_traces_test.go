package e2e

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

const (
	pieceBytes   = 8 << 20         // bytes of a trace that are hashed at a time
	largeTimers  = 50_000          // timers of a scenario whose trace is compared in its own tab
	siteTraceMax = 2 * time.Minute // for one trace
)

// siteTrace is a script that returns the SHA-256 of each piece of the trace of a scenario. The
// engine writes the trace as it does for the page's export.
const siteTrace = `(async () => {
	const script = document.querySelector('script[src$="/lab/site-app.js"]').src;
	const { openSocket, request } = await import(script);
	const socket = openSocket(location.origin.replace("http", "ws") + document.body.dataset.base + "/ws?scenario=%[1]s");
	const run = await new Promise((done, failed) => {
		socket.onmessage = ({ data }) => { if (JSON.parse(data).kind === "hello") done(JSON.parse(data).run); };
		socket.onclose = ({ reason }) => failed(new Error("closed " + reason));
	});
	const trace = await (await request(document.body.dataset.base + "/trace?run=" + run)).blob();
	socket.close();
	const sums = [];
	for (let at = 0; at < trace.size; at += %[2]d) {
		const sum = await crypto.subtle.digest("SHA-256", await trace.slice(at, at + %[2]d).arrayBuffer());
		sums.push(Array.from(new Uint8Array(sum), (b) => b.toString(16).padStart(2, "0")).join(""));
	}
	return sums.join(" ");
})()`

// piecesOf returns the SHA-256 of each piece of what the command line prints as the trace of a scenario.
func piecesOf(t *testing.T, scenario string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), siteTraceMax)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "run", scenario)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	for {
		sum := sha256.New()
		n, err := io.CopyN(sum, out, pieceBytes)
		if n > 0 {
			sums = append(sums, fmt.Sprintf("%x", sum.Sum(nil)))
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("run %s: %v", scenario, err)
	}
	return strings.Join(sums, " ")
}

// The traces that the engine in a browser exports equal those of the command line, byte for byte.
// The large ones are written at the same time, each by its own engine. The short form leaves out
// the twelve rings, which take as long as all others.
func TestSiteTracesAreExact(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serveSite(t)
	var small []string
	for _, b := range library.Builtins() {
		data, _ := library.Builtin(b.Name)
		p, err := program.Load(data)
		switch {
		case err != nil:
			t.Errorf("%s: %v", b.Name, err)
		case slices.Contains(b.Algorithms, "redis"): // TestSiteRecordings
		case p.Timers() < largeTimers:
			small = append(small, b.Name)
		case b.Name == "twelve-rings" && !longForm():
		default:
			t.Run(b.Name, func(t *testing.T) {
				t.Parallel()
				compareTraces(t, s, b.Name)
			})
		}
	}
	t.Run("small", func(t *testing.T) {
		t.Parallel()
		compareTraces(t, s, small...)
	})
}

// compareTraces compares the traces of scenarios, one after another in one engine.
func compareTraces(t *testing.T, s *httptest.Server, scenarios ...string) {
	p := openSite(t, s, "lab/")
	for _, name := range scenarios {
		want := piecesOf(t, name)
		p.run(`globalThis.sums = ""; ` + fmt.Sprintf(siteTrace, name, pieceBytes) + `.then((sums) => { globalThis.sums = sums; }, (error) => { globalThis.sums = String(error); }); 0`)
		p.waitFor(siteTraceMax, `globalThis.sums`)
		if got := eval[string](p, `globalThis.sums`); got != want {
			t.Errorf("%s: SHA-256 of the pieces %s, want %s", name, got, want)
		}
		if n := eval[int](p, `document.querySelectorAll(".pass[data-state=announced]").length`); n != 0 {
			t.Errorf("%s is announced as a run that takes long", name)
		}
	}
}
