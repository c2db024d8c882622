package wheeltest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// orderVariable is the environment variable in which a parent process passes a child process its instructions, an order
// encoded as JSON.
const orderVariable = "WHEELTEST_ORDER"

// Parts of the time limit of a child process (see parent.limit), to which the value of the Load
// option is added. In fake time a property takes milliseconds. In real time the limit also includes
// a number of ticks and revolutions, and a multiple of the value of the Allow option.
const (
	childTime        = 30 * time.Second // fixed part of the time limit of a child process
	childTicks       = 500              // number of ticks added to the time limit of a child process in real time
	childAllowed     = 50               // in real time, the limit of a child process includes this multiple of the value of Allow
	childRevolutions = 6                // number of revolutions (see the Slots option) added to the time limit of a child process in real time
	childPartMax     = 24 * time.Hour   // maximum time that childTicks and childRevolutions together, or childAllowed, add to the limit of a child process
)

// limit returns the time after which a child process with the instructions o is killed and reported as hung.
func (x *parent) limit(o order) time.Duration {
	d := x.config.limit + x.config.load
	if o.Real {
		ticks := time.Duration(childTicks + childRevolutions*max(0, min(x.config.slots, 1<<20)))
		d += min(x.tick, childPartMax/ticks)*ticks + min(x.config.allow, childPartMax/childAllowed)*childAllowed
	}
	return d
}

// order contains the instructions for a child process: which property it must check, and how.
type order struct {
	Test     string // name of the test that has called Run or Check
	Property string // name of the property
	Real     bool   // whether to check the property in real time
	Seed     uint64
	Ops      []Op   // operations to perform instead of random ones
	Out      string // file to which the child process writes its report
}

// report is the result of a check, which a child process writes to the file order.Out for its parent.
type report struct {
	Result
	Drawn []Op          // operations with which the property failed; parent.shrink looks for fewer and simpler ones
	Tick  time.Duration // tick of the implementation
}

// orderFor returns the instructions that the parent process has passed to this process. ok is false if the process is
// not a child process that was started for test t.
func orderFor(t *testing.T) (o order, ok bool) {
	if err := json.Unmarshal([]byte(os.Getenv(orderVariable)), &o); err != nil {
		return o, false
	}
	return o, o.Test == t.Name()
}

// child checks the property that o names in a new process of this test binary and returns the report of that process.
func (x *parent) child(o order) (r report) {
	dir := x.t.TempDir()
	o.Test, o.Out = x.t.Name(), filepath.Join(dir, "report")
	r.Result = Result{Property: o.Property, Seed: o.Seed}
	output, err := x.start(o, dir)
	data, missing := os.ReadFile(o.Out)
	if missing == nil {
		if err := json.Unmarshal(data, &r); err != nil {
			r.Verdict, r.Observed = Died, "its report can't be read: "+err.Error()
		}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.Verdict, r.Observed = Hung, fmt.Sprintf("it had not ended after %v", x.limit(o))
	case err != nil:
		r.Verdict, r.Observed = Died, exitReason(output, err)
	case missing != nil:
		r.Verdict, r.Observed = Died, "the process ended without a report"
	}
	return r
}

// start runs a child process with the instructions o and returns its output. The child process creates its
// temporary files in dir, which the parent removes, because the child exits without cleaning up.
func (x *parent) start(o order, dir string) (output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), x.limit(o))
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	args := append([]string{"-test.run=" + pattern(o.Test), "-test.count=1", "-test.timeout=0"}, ownArgs(os.Args[1:])...)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), orderVariable+"="+string(text), "GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0")
	for _, variable := range []string{"GOTMPDIR", "TMPDIR", "TMP", "TEMP"} {
		cmd.Env = append(cmd.Env, variable+"="+dir)
	}
	out := &ends{}
	cmd.Stdout, cmd.Stderr = out, out
	if err = cmd.Run(); ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.String(), err
}

// ownArgs returns args, the arguments of the test binary, without the flags of package testing. The
// result is passed to child processes, because a test may use these arguments to select what it
// examines.
func ownArgs(args []string) (own []string) {
	flags := args[:max(0, len(args)-flag.NArg())]
	for len(flags) > 0 {
		name, _, valued := strings.Cut(strings.TrimLeft(flags[0], "-"), "=")
		n := 1
		if f := flag.Lookup(name); f != nil && !valued && !isSwitch(f) {
			n = min(2, len(flags)) // its value is the next argument
		}
		if !strings.HasPrefix(name, "test.") {
			own = append(own, flags[:n]...)
		}
		flags = flags[n:]
	}
	return append(own, flag.Args()...)
}

// isSwitch reports whether f is a boolean flag, which means that the next argument is not its
// value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// pattern returns a regular expression for -test.run that matches only the test or subtest with the given name.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// runChild runs in a child process. It checks the property that o names and exits the process, which also ends
// goroutines and timers that the implementation has left behind.
func runChild(t *testing.T, make Factory, c config, o order) {
	do := func(*testing.T) {
		r := check(make, c, o)
		data, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(o.Out, data, 0o600)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "panic: wheeltest: report not written:", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	if o.Real {
		do(t)
	}
	synctest.Test(t, do)
}

// check checks the property that o names. In fake time, it checks a property that draws random operations up to c.tries
// times, until the property fails. If o.Ops contains the operations to perform, it checks the property once.
func check(make Factory, c config, o order) (r report) {
	p, ok := find(o.Property)
	if !ok {
		return report{Result: Result{Verdict: Died, Observed: "there is no such property"}}
	}
	tries := 1
	if p.ops && o.Ops == nil {
		tries = max(1, c.tries)
		if o.Real {
			tries = 1
		}
	}
	for k := range tries {
		r = try(p, make, c, o, rand.New(rand.NewPCG(o.Seed, uint64(k))))
		if r.Verdict != Passed {
			break
		}
	}
	r.Property, r.Seed = o.Property, o.Seed
	return r
}

// try checks property p once, on a new instance of the implementation, and returns a report. make creates the instance,
// c is the configuration of the test, o contains the instructions for this process, and random provides the random
// numbers.
func try(p Property, make Factory, c config, o order, random *rand.Rand) (r report) {
	w, err := make()
	if err != nil {
		return report{Result: Result{Verdict: Failed, Observed: "the factory gives the error " + err.Error()}}
	}
	if w.Tick() <= 0 {
		return report{Result: Result{Verdict: Failed, Observed: fmt.Sprintf("Tick gives %v; a resolution is longer than 0", w.Tick())}}
	}
	x := &checker{w: w, again: make, config: c, tick: w.Tick(), bubble: !o.Real, rand: random, ops: o.Ops, begun: time.Now()}
	r.Tick = x.tick
	if p.needs != nil && !p.needs(w) {
		r.Verdict, r.Observed = Absent, "there are no such methods"
		return r
	}
	if p.ops && x.ops == nil {
		x.ops = draw(random, x.tick, has[Resetter](w), x.bubble)
	}
	x.guarded(p)
	switch {
	case x.absent != "":
		r.Verdict, r.Observed = Absent, x.absent
	case x.failed():
		r.Verdict, r.Observed, r.Ops, r.Drawn = Failed, x.fault, x.log, x.ops
	default:
		r.Verdict, r.Observed = Passed, x.seen
	}
	if r.Verdict == Passed && p.ops { // another try follows in this process
		w.Close()
	}
	return r
}

// guarded calls p.body, which checks the property. If a method of the implementation panics, guarded
// recovers and records a fault.
func (x *checker) guarded(p Property) {
	defer func() {
		if v := recover(); v != nil {
			x.failf("a call panicked: %v, %s", v, firstFrame(string(debug.Stack())))
		}
	}()
	p.body(x)
}

// firstFrame returns a phrase that names the function in which a panic occurred. stack is the stack
// trace of the panic.
func firstFrame(stack string) string {
	_, after, _ := strings.Cut(stack, "panic(")
	lines := strings.Split(after, "\n")
	if len(lines) < 3 {
		return "at an unknown place"
	}
	return "in " + strings.TrimSpace(lines[2])
}
