package peers

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// died is the verdict if the process ended abnormally, as by a panic in another goroutine or a fatal error.
const died wheeltest.Verdict = "died"

const (
	orderVariable = "PEERS_ORDER"   // environment variable in which a child process gets its order, as JSON
	childTime     = 5 * time.Minute // after which a child process is killed, besides the load
	shrinkRuns    = 300             // maximum number of child processes that shrink starts
	shrinkTime    = 30 * time.Second
)

// order is the instruction for a child process: which property of which peer it must check, and how.
type order struct {
	Peer, Property string
	Load           time.Duration
	Tries          int
	Seed           uint64
	Ops            []wheeltest.Op // operations to perform instead of random ones
	Out            string         // file to which the child process writes its result
}

// TestChild runs in a child process. It ends the process, with the goroutines and timers that the library has left.
func TestChild(t *testing.T) {
	var o order
	if err := json.Unmarshal([]byte(os.Getenv(orderVariable)), &o); err != nil {
		return // not started by examine
	}
	p := All()[slices.IndexFunc(All(), func(p Peer) bool { return p.Name == o.Peer })]
	r := wheeltest.Check(t, p.Make, append(slices.Clone(p.Options), wheeltest.Only(o.Property), wheeltest.Load(o.Load),
		wheeltest.Tries(o.Tries), wheeltest.Seed(o.Seed), wheeltest.Operations(o.Ops))...)
	data, err := json.Marshal(r[0])
	if err == nil {
		err = os.WriteFile(o.Out, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	os.Exit(0)
}

// examine checks a property in a child process, so that a panic or a deadlock of a library ends only that. Random
// operations that fail are reduced to as few as possible.
func examine(t *testing.T, o order) wheeltest.Result {
	o.Seed = rand.Uint64()
	r := child(t, o)
	if o.Property == "random operations" && bad(r) {
		r = shrink(t, o, r)
	}
	return r
}

func bad(r wheeltest.Result) bool {
	return r.Verdict != wheeltest.Passed && r.Verdict != wheeltest.Absent
}

func child(t *testing.T, o order) (r wheeltest.Result) {
	t.Helper()
	o.Out = filepath.Join(t.TempDir(), "result")
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), childTime+o.Load)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-test.run=^TestChild$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), orderVariable+"="+string(text))
	output, err := cmd.CombinedOutput()
	if err == nil {
		var data []byte
		if data, err = os.ReadFile(o.Out); err == nil {
			err = json.Unmarshal(data, &r)
		}
	}
	switch {
	case ctx.Err() != nil:
		return wheeltest.Result{Property: o.Property, Verdict: wheeltest.Hung, Observed: "the process had not ended"}
	case err != nil:
		return wheeltest.Result{Property: o.Property, Verdict: died, Observed: "the process ended: " + reason(string(output), err)}
	}
	return r
}

// reason returns the line of a process's output that says why it has ended.
func reason(output string, err error) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return line
		}
	}
	return err.Error()
}

// shrink looks for fewer operations than those of r with which the check still fails, and returns the result of the
// last such check. It leaves out sections of the operations, at first half of them, then ever shorter ones.
func shrink(t *testing.T, o order, r wheeltest.Result) wheeltest.Result {
	ops, runs, end := r.Ops, 0, time.Now().Add(shrinkTime)
	for size := len(ops) / 2; size > 0; size /= 2 {
		for from := 0; from < len(ops); {
			o.Ops = slices.Concat(ops[:from], ops[min(from+size, len(ops)):])
			if runs++; runs > shrinkRuns || time.Now().After(end) {
				return r
			}
			if len(o.Ops) > 0 {
				if next := child(t, o); bad(next) {
					ops, r = o.Ops, next
					continue
				}
			}
			from += size
		}
	}
	return r
}

// Of the random operations with which a library fails only those are left that show the fault.
func TestShrink(t *testing.T) {
	r := examine(t, order{Peer: russellLuo.Name, Property: "random operations", Load: quick, Tries: 40})
	if r.Verdict != wheeltest.Failed || len(r.Ops) == 0 || len(r.Ops) > 3 {
		t.Errorf("%v", r)
	}
}
