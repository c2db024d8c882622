package wheeltest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// An Option configures a test of an implementation.
type Option func(*config)

type config struct {
	real  bool
	slots int
	allow time.Duration
	load  time.Duration
	tries int
	limit time.Duration // fixed part of the time limit of a property (see limitOf)
	mute  bool          // whether the results of Stop and Remove are ignored (option NoAnswers)
	seed  uint64
	only  []string
	skip  map[string]string
	dir   string
	ops   []Op // operations to perform instead of random ones
}

// Defaults of the options.
const (
	loadTime = 300 * time.Millisecond
	tryCount = 40
)

// RealTime makes every property run in real time, for an implementation that does not work in fake time. A property
// that does not need real time then fails only if it fails twice, because the machine may pause at any time.
func RealTime() Option { return func(c *config) { c.real = true } }

// Slots sets the number of slots of the implementation's wheel. Properties then try delays of whole revolutions of
// this wheel.
func Slots(n int) Option { return func(c *config) { c.slots = n } }

// Allow sets how late a timer may fire, beyond the one tick that is always allowed. The default is 0.
func Allow(late time.Duration) Option { return func(c *config) { c.allow = late } }

// NoAnswers makes Run ignore the results of Stop and Remove. Run then only checks that timers
// stopped before they were due do not fire.
func NoAnswers() Option { return func(c *config) { c.mute = true } }

// Load sets how long goroutines call the implementation concurrently when a property that concerns concurrent calls is
// checked. The default is 300 ms.
func Load(d time.Duration) Option { return func(c *config) { c.load = d } }

// Tries sets how many times a property with random operations is tried in fake time. The default is 40.
func Tries(n int) Option { return func(c *config) { c.tries = n } }

// Seed sets the seed of the random operations. By default each call to Run uses a new random seed,
// which the report of a failure includes.
func Seed(s uint64) Option { return func(c *config) { c.seed = s } }

// Only selects the properties to check, by name.
func Only(names ...string) Option { return func(c *config) { c.only = append(c.only, names...) } }

// Unclaimed skips the check of the named property, which the implementation does not claim to have. The [Result]
// for the property contains why as the reason.
func Unclaimed(name, why string) Option { return func(c *config) { c.skip[name] = why } }

// Scenarios sets the directory to which the operations of each failure are written as a scenario. The directory is
// created if it does not exist. Without this option, Run uses os.TempDir, and Check writes no scenarios.
func Scenarios(dir string) Option { return func(c *config) { c.dir = dir } }

// Operations makes properties with random operations perform these instead, such as those of a [Result].
func Operations(ops []Op) Option { return func(c *config) { c.ops = ops } }

func configure(t *testing.T, options []Option) config {
	t.Helper()
	c := config{load: loadTime, tries: tryCount, limit: checkTime, seed: rand.Uint64(), skip: map[string]string{}}
	for _, set := range options {
		set(&c)
	}
	for _, name := range slices.AppendSeq(slices.Clone(c.only), maps.Keys(c.skip)) {
		if !slices.Contains(names(), name) {
			t.Fatalf("wheeltest: there is no property %q; there are %q", name, names())
		}
	}
	return c
}

func names() (all []string) {
	for _, p := range Properties() {
		all = append(all, p.Name)
	}
	return all
}

// properties returns the properties to check.
func (c *config) properties() []Property {
	return slices.DeleteFunc(Properties(), func(p Property) bool { return len(c.only) > 0 && !slices.Contains(c.only, p.Name) })
}

// Run checks the implementation returned by factory, each property in a subtest.
func Run(t *testing.T, factory Factory, options ...Option) {
	t.Helper()
	c := configure(t, options)
	c.dir = cmp.Or(c.dir, os.TempDir())
	for _, p := range c.properties() {
		t.Run(p.Name, func(t *testing.T) {
			switch r := c.check(t, p, factory); r.Verdict {
			case Passed:
			case Absent:
				t.Skip(r.Observed)
			default:
				t.Error(r)
			}
		})
	}
}

// Check is like Run, but returns the results instead of failing the test.
func Check(t *testing.T, factory Factory, options ...Option) []Result {
	t.Helper()
	c := configure(t, options)
	var all []Result
	for _, p := range c.properties() {
		all = append(all, c.check(t, p, factory))
	}
	return all
}

// check checks property p and completes the result.
func (c *config) check(t *testing.T, p Property, factory Factory) Result {
	r := Result{Verdict: Absent}
	if why, ok := c.skip[p.Name]; ok {
		r.Observed = "not claimed: " + why
	} else {
		r = c.run(t, p, factory)
		if r.Verdict == Failed && c.real && !p.Real { // the machine may have paused at the wrong instant: a real fault fails again
			r = c.run(t, p, factory)
		}
	}
	r.Property, r.Rule, r.Real, r.Seed = p.Name, p.Rule, c.real || p.Real, c.seed
	if c.dir != "" && (r.Verdict == Failed || r.Verdict == Hung) {
		r.File = writeScenario(c.dir, p, r)
	}
	return r
}

// Parts of the time limit of a property, to which the value of the Load option is added. In fake time a property takes
// milliseconds. In real time the limit also includes a number of ticks and revolutions, and a multiple of the value of
// the Allow option.
const (
	checkTime        = 30 * time.Second // fixed part
	checkTicks       = 500              // number of ticks added in real time
	checkAllowed     = 50               // in real time, the limit includes this multiple of the value of Allow
	checkRevolutions = 6                // number of revolutions (see the Slots option) added in real time
	checkPartMax     = 24 * time.Hour   // maximum time that checkTicks and checkRevolutions together, or checkAllowed, add
)

// limitOf returns the time after which the check of a property is reported as hung. tick is 0 in fake time.
func (c *config) limitOf(tick time.Duration) time.Duration {
	d := c.limit + c.load
	if tick > 0 {
		ticks := time.Duration(checkTicks + checkRevolutions*max(0, min(c.slots, 1<<20)))
		d += min(tick, checkPartMax/ticks)*ticks + min(c.allow, checkPartMax/checkAllowed)*checkAllowed
	}
	return d
}

// run checks property p in a goroutine of its own, in a bubble of testing/synctest if it is checked in fake time. It
// leaves the goroutine alone if it hangs.
func (c *config) run(t *testing.T, p Property, factory Factory) Result {
	var latest atomic.Pointer[checker]
	var result atomic.Pointer[Result]
	why, ended := "", make(chan struct{})
	body := func(*testing.T) { c.try(p, factory, &latest, &result) }
	go func() {
		defer close(ended)
		defer func() {
			if v := recover(); v != nil { // goroutines of the bubble are blocked for ever
				why = fmt.Sprint(v)
			}
		}()
		if c.real || p.Real {
			body(t)
		} else {
			synctest.Test(t, body)
		}
	}()
	begun, limit, over := time.Now(), c.limitOf(0), false
	for !over && time.Since(begun) < limit {
		if x := latest.Load(); x != nil && !x.bubble {
			limit = c.limitOf(x.tick)
		}
		select {
		case <-ended:
			over = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	x := latest.Load()
	switch r := result.Load(); {
	case r != nil:
		return *r
	case x != nil && x.failed():
		return x.result()
	case !over:
		return Result{Verdict: Hung, Observed: fmt.Sprintf("it had not ended after %v", limit)}
	}
	return Result{Verdict: Hung, Observed: why}
}

// try checks property p on a new instance of the implementation and stores the result. In fake time it repeats a
// property with random operations up to c.tries times, until the property fails. latest is the current checker.
func (c *config) try(p Property, factory Factory, latest *atomic.Pointer[checker], result *atomic.Pointer[Result]) {
	bubble, tries := !c.real && !p.Real, 1
	if bubble && p.ops && c.ops == nil {
		tries = max(1, c.tries)
	}
	for k := range tries {
		w, err := factory()
		if err != nil {
			result.Store(&Result{Verdict: Failed, Observed: "the factory gives the error " + err.Error()})
			return
		}
		if w.Tick() <= 0 {
			result.Store(&Result{Verdict: Failed, Observed: fmt.Sprintf("Tick gives %v; a resolution is longer than 0", w.Tick())})
			return
		}
		x := &checker{w: w, again: factory, config: *c, tick: w.Tick(), bubble: bubble, ops: c.ops, begun: time.Now(),
			rand: rand.New(rand.NewPCG(c.seed, uint64(k))), over: make(chan struct{})}
		latest.Store(x)
		switch {
		case p.needs != nil && !p.needs(w):
			x.absent = "there are no such methods"
		case p.ops && x.ops == nil:
			x.ops = draw(x.rand, x.tick, has[Resetter](w), x.bubble)
			fallthrough
		default:
			x.guarded(p)
		}
		close(x.over)
		r := x.result()
		if r.Verdict == Failed || k == tries-1 {
			result.Store(&r)
		}
		switch {
		case r.Verdict != Failed:
			x.end(p)
		case bubble: // a call that hangs would not let the bubble end
			return
		default:
			go x.end(p)
			return
		}
	}
}

// end closes the implementation, unless property p has closed it.
func (x *checker) end(p Property) {
	defer func() { recover() }() // "closed" and "close from a function" judge that
	if !p.closes {
		x.w.Close()
	}
}

// result returns the result of the check.
func (x *checker) result() Result {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.absent != "":
		return Result{Verdict: Absent, Observed: x.absent}
	case x.fault != "":
		return Result{Verdict: Failed, Observed: x.fault, Ops: x.log, tick: x.tick}
	}
	return Result{Verdict: Passed, Observed: x.seen}
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
