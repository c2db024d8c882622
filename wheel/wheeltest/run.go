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

// An Option says something of what is examined.
type Option func(*config)

type config struct {
	real  bool
	slots int
	allow time.Duration
	load  time.Duration
	tries int
	limit time.Duration // of one child
	mute  bool          // Stop and Remove have no answer
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

// RealTime has every property run in real time: for implementations that false time
// can't drive. Without it that is found out. What is not about real time has failed there
// only if it fails twice: a machine may stand still at the wrong instant.
func RealTime() Option { return func(c *config) { c.real = true } }

// Slots tells how many slots a revolution has, so that whole ones are tried.
func Slots(n int) Option { return func(c *config) { c.slots = n } }

// Allow says by how much more than a tick a timer may be late.
func Allow(late time.Duration) Option { return func(c *config) { c.allow = late } }

// NoAnswers says that Stop and Remove tell nothing: what they return is not judged, only
// that what was stopped before it was due does not fire.
func NoAnswers() Option { return func(c *config) { c.mute = true } }

// Load sets how long each property about contention has, 300 ms without it.
func Load(d time.Duration) Option { return func(c *config) { c.load = d } }

// Tries sets how many times random operations are drawn, 40 without it.
func Tries(n int) Option { return func(c *config) { c.tries = n } }

// Seed sets the seed of what is random; without it each examination has another, and
// tells it.
func Seed(s uint64) Option { return func(c *config) { c.seed = s } }

// Only has no other properties examined.
func Only(names ...string) Option { return func(c *config) { c.only = append(c.only, names...) } }

// Unclaimed leaves a property out that the implementation does not claim, and says why.
func Unclaimed(name, why string) Option { return func(c *config) { c.skip[name] = why } }

// Scenarios sets the directory that the operations of failures are written to, each a
// scenario; it is made where there is none. Run uses the directory of temporary files
// without it, Examine writes none.
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

// Run examines timers, each property in a subtest. It is called once in a test, since
// the test is started again for each property, in a process of its own, which ends in
// Run.
func Run(t *testing.T, make Factory, options ...Option) {
	t.Helper()
	x := begin(t, make, options)
	if x.config.dir == "" {
		x.config.dir = os.TempDir()
	}
	for _, p := range x.properties() {
		t.Run(p.Name, func(t *testing.T) {
			r := x.hold(p)
			switch r.Verdict {
			case Passed:
			case Absent:
				t.Skip(r.Told)
			default:
				t.Error(r)
			}
		})
	}
}

// Examine does what Run does and gives what came of it, without failing the test.
func Examine(t *testing.T, make Factory, options ...Option) []Result {
	t.Helper()
	x := begin(t, make, options)
	var all []Result
	for _, p := range x.properties() {
		all = append(all, x.hold(p))
	}
	return all
}

// String tells a result as a test's log does.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nThe rule: %s.\n", r.Verdict, r.Told, r.Rule)
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

// called holds the tests that examine something now.
var called sync.Map

// begin is the parent's first step; in a child it does not return.
func begin(t *testing.T, make Factory, options []Option) *parent {
	t.Helper()
	c := configure(t, options)
	if o, ok := orderFor(t); ok {
		obey(t, make, c, o)
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
