package wheeltest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
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
	limit time.Duration // fixed part of the time limit of a child process (see parent.limit)
	mute  bool          // whether the results of Stop and Remove are ignored (option NoAnswers)
	seed  uint64
	only  []string
	skip  map[string]string
	dir   string
}

// Defaults of the options.
const (
	loadTime = 300 * time.Millisecond
	tryCount = 40
)

// RealTime makes every property run in real time. Without this option, Run first checks whether the
// implementation works in fake time. In real time, a property that does not need real time fails
// only if it fails twice, because the machine may pause at any time.
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

func configure(t *testing.T, options []Option) config {
	t.Helper()
	c := config{load: loadTime, tries: tryCount, limit: childTime, seed: rand.Uint64(), skip: map[string]string{}}
	for _, set := range options {
		set(&c)
	}
	for _, name := range append(slices.Clone(c.only), keys(c.skip)...) {
		if _, ok := find(name); !ok {
			t.Fatalf("wheeltest: there is no property %q; there are %s", name, strings.Join(names(), ", "))
		}
	}
	return c
}

func keys(m map[string]string) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

func names() (all []string) {
	for _, p := range Properties() {
		all = append(all, fmt.Sprintf("%q", p.Name))
	}
	return all
}

// Run checks the implementation returned by make, each property in a subtest. For each property, the
// calling test runs again in a new process, in which Run checks only that property and then exits. A
// test may therefore call Run or Check only once.
func Run(t *testing.T, make Factory, options ...Option) {
	t.Helper()
	x := begin(t, make, options)
	if x.config.dir == "" {
		x.config.dir = os.TempDir()
	}
	for _, p := range x.properties() {
		t.Run(p.Name, func(t *testing.T) {
			r := x.checkProperty(p)
			switch r.Verdict {
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
func Check(t *testing.T, make Factory, options ...Option) []Result {
	t.Helper()
	x := begin(t, make, options)
	var all []Result
	for _, p := range x.properties() {
		all = append(all, x.checkProperty(p))
	}
	return all
}

// String returns a multi-line description of a failure, for the log of a test.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nThe rule: %s.\n", r.Verdict, r.Observed, r.Rule)
	if len(r.Ops) > 0 {
		fmt.Fprintf(&b, "Operations that show it (seed %d):\n", r.Seed)
	}
	for _, op := range r.Ops {
		fmt.Fprintf(&b, "  %12v  %s\n", op.At, op)
	}
	if r.File != "" {
		fmt.Fprintf(&b, "As a scenario: wheelscope run %s\n", r.File)
	}
	return b.String()
}

func (o Op) String() string {
	switch {
	case o.Do == "cancel":
		return "cancel " + o.Timer
	case o.Every > 0 && o.Times < 0:
		return fmt.Sprintf("%s %s in %v, each %v, for ever", o.Do, o.Timer, o.Delay, o.Every)
	case o.Every > 0:
		return fmt.Sprintf("%s %s in %v, each %v, %d times", o.Do, o.Timer, o.Delay, o.Every, o.Times)
	}
	return fmt.Sprintf("%s %s in %v", o.Do, o.Timer, o.Delay)
}

// called contains the running tests, of type *testing.T, that have called Run or Check, so that a second call is
// detected.
var called sync.Map

// begin does what Run and Check have in common. In the parent process it returns the parent, which starts the child
// processes. In a child process it checks the property that the parent has requested, and does not return.
func begin(t *testing.T, make Factory, options []Option) *parent {
	t.Helper()
	c := configure(t, options)
	if o, ok := orderFor(t); ok {
		runChild(t, make, c, o)
	}
	if _, twice := called.LoadOrStore(t, true); twice {
		t.Fatal("wheeltest: a test examines one implementation; put each into a subtest")
	}
	t.Cleanup(func() { called.Delete(t) })
	x := &parent{t: t, config: c}
	x.tick = x.child(order{Property: tickProbe.Name, Real: true}).Tick
	if !c.real {
		r := x.child(order{Property: probe.Name})
		x.config.real = r.Verdict != Passed
	}
	return x
}
