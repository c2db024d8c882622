//go:build linux

package attack

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// attack is one case of the suite.
type attack struct {
	name   string
	run    func(c *trial) // the attack; it lasts c.span if it has no natural end
	onlyIn form
	loosen func(b *bounds) // nil: the bounds are the standard ones
	why    string          // reason for which the bounds are loosened
}

// form returns the form of the suite in which a case runs.
type form int

const (
	both form = iota
	fullOnly
)

// bounds are the requirements of a case.
type bounds struct {
	peakBytes, afterBytes int64
	gapP99, pageP95       time.Duration
	answer                time.Duration
}

// standard holds the bounds of most cases.
var standard = bounds{
	peakBytes: 1500 << 20, afterBytes: 400 << 20,
	gapP99: 100 * time.Millisecond, pageP95: 300 * time.Millisecond, answer: answerMax,
}

const (
	afterWait = time.Minute // time for memory to be released after the attack
	spanFull  = 20 * time.Second
	spanShort = 1500 * time.Millisecond
	caseMax   = 4 * time.Minute // of one attack
	idleEvery = time.Second / 2 // time between two checks of the processor time
	idleMax   = 15 * time.Second
	idleShare = 0.5             // load by the other user, as a share of a processor
	quietFor  = 5 * time.Second // time for which memory must stay low, in the full form
	fileSlack = 4               // number of descriptors that the server may open by itself: log, timers, an idle connection
)

// attacks is the suite. A name begins with the number of the row, if it is one.
var attacks = []attack{
	{name: "no-attack", run: func(*trial) {}},
	{name: "row00-find-slot", run: findSlot},
	{name: "row01-24-lanes-of-2M", run: lanesOfMillions},
	{name: "row02-traces", run: manyTraces},
	{name: "row03-foreign-images", run: foreignImages},
	{name: "row04-large-messages", run: largeMessages},
	{name: "row05-unfinished-messages", run: unfinishedMessages, onlyIn: fullOnly},
	{name: "row06-slots", run: manySlots},
	{name: "row07-pictures", run: manyPictures},
	{name: "questions", run: manyQuestions},
	{name: "row08-first-passes", run: endlessFirstPasses},
	{name: "row09-held-keys", run: heldKeys},
	{name: "row10-find-in-2M", run: findInMillions},
	{name: "row10-seek-past-a-tick", run: seekPastTick, onlyIn: fullOnly},
	{name: "row11-stalls", run: endlessStalls},
	{name: "row12-200-playing", run: playing(200), onlyIn: fullOnly, loosen: graceful, why: overload},
	{name: "row12-512-viewers", run: viewers, onlyIn: fullOnly, loosen: graceful, why: overload},
	{name: "row12-150-playing", run: playing(150), onlyIn: fullOnly},
	{name: "row13-foreign-page", run: foreignPage},
	{name: "row14-plans", run: manyPlans},
	{name: "row15-stall-in-a-trace", run: stallInTrace},
	{name: "row16-slow-uploads", run: slowUploads},
	{name: "largest-accepted", run: withinLimits, onlyIn: fullOnly},
	{name: "random-scenarios", run: randomScenarios},
	{name: "slow-readers", run: slowReaders},
	{name: "slow-writers", run: slowWriters},
	{name: "half-open", run: halfOpen},
	{name: "idle-connections", run: idleConnections},
	{name: "malformed-input", run: malformedInput, onlyIn: fullOnly},
}

const overload = "the issue asks for a p99 of 150 ms of all players under this load, of which the other user is one"

func graceful(b *bounds) { b.gapP99 = 150 * time.Millisecond }

// TestAttacks runs the suite, in the full form one case after another. In the short form, whose times
// have slack, a few run concurrently, since a case waits part of its time. It repeats a case that
// exceeded its time bounds while other programs used the processors.
func TestAttacks(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			if a.onlyIn == fullOnly && !*full {
				return
			}
			b := standard
			if !*full { // the short form runs beside other tests, on shared machines
				t.Parallel()
				b.gapP99 *= shortSlack
				b.pageP95 *= shortSlack
			}
			if a.loosen != nil {
				a.loosen(&b)
				t.Logf("bounds of its own: %s", a.why)
			}
			r := conduct(t, a)
			for n := 1; n < triesMax && r.foreign > foreignMax && len(r.late(&b)) > 0 && len(r.faults(&b)) == 0 && !t.Failed(); n++ {
				t.Logf("repeated: %s", r.line())
				r = conduct(t, a)
			}
			r.check(t, &b)
			addToTable(r)
			t.Log(r.line())
			for _, how := range r.trial.hows() {
				if _, example := r.trial.count(how); example != "" {
					t.Logf("  %s: %.300s", how, example)
				}
			}
		})
	}
}

const (
	triesMax   = 3
	foreignMax = 0.1 // share of the processors
	shortSlack = 10  // factor for the other user's times in the short form
)

// conduct runs one case with a server of its own.
func conduct(t *testing.T, a attack) *result {
	span := spanShort
	if *full {
		span = spanFull
	}
	s := serve(t)
	defer s.kill()
	ctx, cancel := context.WithTimeout(t.Context(), caseMax)
	defer cancel()
	go func() {
		select {
		case <-s.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	c := newTrial(ctx, t, s, span)
	other := startOther(t, s.addr)
	defer other.stop()
	files := s.files()
	r := &result{name: a.name, trial: c}
	var load *loadMeter
	var began time.Time
	c.begin = func() {
		load, began = newLoadMeter(), time.Now()
		other.begin()
	}
	c.begin()
	a.run(c)
	c.linger(began)
	r.other = other.end(t)
	r.took, r.foreign = time.Since(began), load.foreign()
	c.disconnect()
	r.settle(files)
	return r
}

// result is the result of a case.
type result struct {
	name      string
	took      time.Duration
	other     otherFigures
	trial     *trial
	peak      int64
	after     int64
	settled   time.Duration // time until memory was low
	busy      time.Duration // time until the server had finished the work for attackers
	filesOpen int           // number of descriptors opened since the start
	foreign   float64       // share of the processors that other programs used
	cause     string        // cause of the server's end; "" if it is running
	unhealthy error
}

// settle waits until the server has released memory and descriptors and no longer works for
// attackers, at most afterWait.
func (r *result) settle(files int) {
	s := r.trial.server
	began := time.Now()
	low := time.Time{} // since when
	r.busy = afterWait
	cpu, at := s.cpu(), began
	for s.alive() && time.Since(began) < afterWait {
		r.after, r.filesOpen = s.memory("VmRSS"), s.files()-files
		switch {
		case r.after > standard.afterBytes || r.filesOpen > fileSlack:
			low = time.Time{}
		case low.IsZero():
			low = time.Now()
		}
		if now := time.Now(); r.busy == afterWait && now.Sub(at) >= idleEvery {
			used := s.cpu()
			if (used - cpu).Seconds() < idleShare*now.Sub(at).Seconds() {
				r.busy = at.Sub(began)
			}
			cpu, at = used, now
		}
		if !low.IsZero() && r.busy < afterWait && (!*full || time.Since(low) >= quietFor) {
			break
		}
		time.Sleep(sampleEvery)
	}
	r.settled = afterWait
	if !low.IsZero() {
		r.settled = low.Sub(began)
	}
	r.unhealthy = s.healthy()
	r.peak = max(s.peak.Load(), s.memory("VmHWM"))
	if !s.alive() || s.memory("VmRSS") == 0 { // its end may not have been noticed yet
		<-s.done
		r.cause = s.cause()
	}
}

// check compares a result with its bounds.
func (r *result) check(t *testing.T, b *bounds) {
	t.Helper()
	for _, fault := range append(r.faults(b), r.late(b)...) {
		t.Error(fault)
	}
}

// faults lists exceeded bounds, except for times.
func (r *result) faults(b *bounds) (list []string) {
	fault := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if r.cause != "" {
		fault("the server ended: %s", r.cause)
		return list
	}
	if r.unhealthy != nil {
		fault("the server does not answer afterwards: %v", r.unhealthy)
	}
	if r.peak > b.peakBytes {
		fault("resident memory reached %d MB, at most %d are allowed", r.peak>>20, b.peakBytes>>20)
	}
	if r.after > b.afterBytes {
		fault("%s after the attack resident memory is %d MB, at most %d are allowed", afterWait, r.after>>20, b.afterBytes>>20)
	}
	if r.filesOpen > fileSlack {
		fault("%s after the attack %d more file descriptors are open than before", afterWait, r.filesOpen)
	}
	if r.busy > idleMax {
		fault("%s after the attackers disconnected the server still works for them", idleMax)
	}
	for _, text := range r.other.Faults {
		fault("the other user: %s", text)
	}
	for _, how := range []string{noAnswer, lost} {
		if n, example := r.trial.count(how); n > 0 {
			fault("%d requests of attackers: %s, such as %.200s", n, how, example)
		}
	}
	return list
}

// late lists exceeded time bounds.
func (r *result) late(b *bounds) (list []string) {
	for _, time := range []struct {
		what     string
		got, max time.Duration
	}{
		{"the other user's frames come %s apart at p99, at most %s are allowed", r.other.GapP99, b.gapP99},
		{"the other user's GET / takes %s at p95, at most %s are allowed", r.other.PageP95, b.pageP95},
		{"a request of an attacker was answered after %s, at most %s are allowed", r.trial.slowest, b.answer},
	} {
		if time.got > time.max {
			list = append(list, fmt.Sprintf(time.what, rounded(time.got), time.max)+r.beside())
		}
	}
	return list
}

// beside describes how much other programs disturbed the measurement.
func (r *result) beside() string {
	if r.foreign < foreignMax {
		return ""
	}
	return fmt.Sprintf(" (other programs used %.0f %% of the processors: times are valid on a machine without them)", 100*r.foreign)
}

// The rows of the table so far.
var (
	table   []*result
	tableMu sync.Mutex
)

func addToTable(r *result) {
	tableMu.Lock()
	defer tableMu.Unlock()
	table = append(table, r)
}

const tableHead = "case                       attack  peak MB  after MB (in)    idle   gap p99/max ms  GET p95/max ms  other programs  attackers (slowest answer)"

// line returns a result as a row of the table.
func (r *result) line() string {
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	line := fmt.Sprintf("%-26s %5.1fs %8d %9d %5.1fs %6.1fs %9d/%-6d %7d/%-6d %12.0f%%  %s", r.name, r.took.Seconds(), r.peak>>20, r.after>>20, r.settled.Seconds(), r.busy.Seconds(),
		ms(r.other.GapP99), ms(r.other.GapMax), ms(r.other.PageP95), ms(r.other.PageMax), 100*r.foreign, r.trial.summary())
	if r.cause != "" {
		line += "; SERVER ENDED: " + r.cause
	}
	return line
}

// summary lists the outcomes of the attackers' requests.
func (c *trial) summary() string {
	var list []string
	for _, how := range c.hows() {
		n, _ := c.count(how)
		list = append(list, fmt.Sprintf("%s×%d", how, n))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	text := strings.Join(list, " ") + fmt.Sprintf(" (%.1fs)", c.slowest.Seconds())
	if c.newScenario > 0 {
		text += fmt.Sprintf("; a new scenario in %.2fs", c.newScenario.Seconds())
	}
	return strings.Join(append([]string{text}, c.extra...), "; ")
}

// printTable prints the results of all cases.
func printTable() {
	if len(table) < 2 {
		return
	}
	fmt.Fprintln(os.Stdout, tableHead)
	for _, r := range table {
		fmt.Fprintln(os.Stdout, r.line())
	}
}

// rounded returns a duration as printed.
func rounded(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
