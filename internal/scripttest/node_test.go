package scripttest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// loop evaluates each line of its input, a script as a JSON string, and prints its value as JSON.
// The scripts load modules of static/js with load.
const loop = `import { createInterface } from "node:readline";
globalThis.load = (name) => import(process.argv[1] + name);
for await (const line of createInterface({ input: process.stdin })) {
	let answer;
	try {
		answer = { value: await (0, eval)(JSON.parse(line)) };
	} catch (error) {
		answer = { error: String(error.stack ?? error) };
	}
	console.log(JSON.stringify(answer));
}`

// timeMax is the time for all scripts of a test.
const timeMax = 2 * time.Minute

// node is a process of Node that evaluates scripts one after another.
type node struct {
	testing.TB
	in  io.Writer
	out *json.Decoder
	log *bytes.Buffer
}

// newNode starts a process. It ends with the test.
func newNode(t testing.TB) *node {
	t.Helper()
	dir, err := filepath.Abs("../../static/js")
	if err != nil {
		t.Fatal(err)
	}
	modules := url.URL{Scheme: "file", Path: filepath.ToSlash(dir) + "/"}
	ctx, cancel := context.WithTimeout(context.Background(), timeMax)
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", loop, "--", modules.String())
	n := &node{TB: t, log: &bytes.Buffer{}}
	cmd.Stderr = n.log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatalf("node, which scripts/needs installs: %v", err)
	}
	n.in, n.out = in, json.NewDecoder(out)
	t.Cleanup(func() {
		in.Close() // the process ends with its input
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v\n%s", err, n.log)
		}
		cancel()
	})
	return n
}

// eval returns the value of a script, which may be a promise.
func eval[T any](n *node, script string) (value T) {
	n.Helper()
	line, err := json.Marshal(script)
	if err != nil {
		n.Fatal(err)
	}
	answer := struct {
		Value *T
		Error string
	}{Value: &value}
	if _, err := n.in.Write(append(line, '\n')); err != nil {
		n.Fatalf("%.300s: %v", script, err)
	}
	if err := n.out.Decode(&answer); err != nil || answer.Error != "" {
		n.Fatalf("%.300s: %v %s", script, err, answer.Error)
	}
	return value
}

// run evaluates a script for its effect.
func (n *node) run(script string) {
	n.Helper()
	eval[json.RawMessage](n, script)
}

// newFolding starts a process that can fold traces.
func newFolding(t testing.TB) *node {
	t.Helper()
	n := newNode(t)
	n.run(string(read(t, "testdata/canonical.js")))
	n.run(string(read(t, "testdata/fold.js")))
	return n
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// quote returns a value as JavaScript.
func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the tests quote data without functions and channels
	}
	return string(text)
}

// runOf computes a scenario.
func runOf(t testing.TB, scenario []byte) *sim.Run {
	t.Helper()
	p, err := program.Load(scenario)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// traceOf returns the trace of a run.
func traceOf(t testing.TB, run *sim.Run) string {
	t.Helper()
	var b strings.Builder
	if _, err := tracefile.Write(t.Context(), &b, run.Program(), tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
