// Command choosing runs three programs with timers for a while, records them, and prints what was recorded and what the
// timers cost: an HTTP server with idle and request deadlines, a retry queue with backoff, and a heartbeat monitor.
//
//	go run ./docs/examples/choosing -record DIR     records each on package timer with its defaults, as DIR/NAME.rec
//	go run ./docs/examples/choosing                 measures each on package time, on the defaults, and as advised
//
// docs/choosing.md has what it printed, and the advice of wheelscope advise for the recordings.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// timers is what the programs use of a timer library.
type timers interface {
	after(d time.Duration, f func()) handle
	every(d time.Duration, f func()) (stop func())
	close()
}

// handle is a scheduled call.
type handle interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// runtimeTimers are those of package time.
type runtimeTimers struct{}

func (runtimeTimers) after(d time.Duration, f func()) handle { return time.AfterFunc(d, f) }
func (runtimeTimers) close()                                 {}

func (runtimeTimers) every(d time.Duration, f func()) func() {
	var t *time.Timer
	set := make(chan struct{})
	t = time.AfterFunc(d, func() {
		<-set
		f()
		t.Reset(d)
	})
	close(set)
	return func() { t.Stop() }
}

// wheelTimers are those of package timer. jitter spreads the repeats.
type wheelTimers struct {
	*timer.Wheel
	jitter float64
}

func (w wheelTimers) after(d time.Duration, f func()) handle {
	t := w.AfterFunc(d, f)
	return &t
}

func (w wheelTimers) close() { w.Close() }

func (w wheelTimers) every(d time.Duration, f func()) func() {
	r := w.TickFunc(d, f, timer.WithJitter(w.jitter))
	return func() { r.Stop() }
}

// example is a program. run works for the given time and returns the number of operations on timers and of calls.
type example struct {
	name    string
	run     func(t timers, d time.Duration) int64
	advised func() (timers, error) // what wheelscope advise said for its recording
}

// newWheel returns a wheel with options, whose repeats have a jitter.
func newWheel(jitter float64, options ...timer.Option) (timers, error) {
	w, err := timer.New(options...)
	return wheelTimers{w, jitter}, err
}

// advised returns a wheel with the best structure of the advice that package timer can use; the best of all is a list for
// each delay, which a program writes itself.
func advised(jitter float64) func() (timers, error) {
	return func() (timers, error) {
		return newWheel(jitter, timer.WithTick(2*time.Millisecond), timer.WithWheel(func() wheel.Wheel {
			made, _ := algorithms.New("simple", catalog.Params{"slots": 1024, "overflow": "list"}, 0) // these parameters are valid
			return made
		}))
	}
}

var examples = []example{{"server", server, advised(0)}, {"retries", retries, advised(0)}, {"heartbeats", heartbeats, advised(1)}}

func main() {
	dir := flag.String("record", "", "record each program into this `folder`")
	span := flag.Duration("for", 10*time.Second, "time for which each program runs")
	flag.Parse()
	if err := run(*dir, *span); err != nil {
		fmt.Fprintln(os.Stderr, "choosing:", err)
		os.Exit(1)
	}
}

func run(dir string, span time.Duration) error {
	for _, e := range examples {
		if dir != "" {
			if err := record(&e, filepath.Join(dir, e.name+".rec"), span); err != nil {
				return err
			}
			continue
		}
		makers := []struct {
			name string
			make func() (timers, error)
		}{{"package time", func() (timers, error) { return runtimeTimers{}, nil }}, {"package timer", func() (timers, error) { return newWheel(0) }}, {"as advised", e.advised}}
		for _, m := range makers {
			t, err := m.make()
			if err != nil {
				return err
			}
			before := processorTime()
			n := e.run(t, span)
			spent := processorTime() - before
			t.close()
			fmt.Printf("%-11s %-14s %9d operations  %8.3f ms of processor time a second\n", e.name, m.name, n, spent.Seconds()/span.Seconds()*1000)
		}
	}
	return nil
}

// record runs e on a wheel with the defaults and writes its recording to a file.
func record(e *example, file string, span time.Duration) error {
	w, err := timer.New()
	if err != nil {
		return err
	}
	defer w.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	stop, err := timer.Record(w, out)
	if err != nil {
		return err
	}
	n := e.run(wheelTimers{Wheel: w}, span)
	lost, err := stop()
	if err == nil {
		err = out.Close()
	}
	fmt.Printf("%s: %d operations in %v, %d events lost\n", file, n, span, lost)
	return err
}

// pace calls step with 0, 1, 2, …, rate times a second for the given time.
func pace(d time.Duration, rate float64, step func(i int)) {
	const turn = time.Millisecond
	clock := time.NewTicker(turn)
	defer clock.Stop()
	began, done := time.Now(), 0
	for now := range clock.C {
		past := now.Sub(began)
		for ; done < int(past.Seconds()*rate); done++ {
			step(done)
		}
		if past >= d {
			return
		}
	}
}

// server is an HTTP server with 20,000 connections: each has an idle timeout of 60 s, which every request resets, and each
// request a deadline of 5 s, which its end stops a few milliseconds later.
func server(t timers, d time.Duration) (operations int64) {
	const connections, requests = 20_000, 20_000 // open; a second
	rng := rand.New(rand.NewPCG(1, 1))
	idle := make([]handle, connections)
	for i := range idle {
		idle[i] = t.after(time.Minute, func() {})
		operations++
	}
	const inFlight = 256
	var deadlines [inFlight]handle
	pace(d, requests, func(i int) {
		idle[rng.IntN(connections)].Reset(time.Minute)
		if old := deadlines[i%inFlight]; old != nil {
			old.Stop()
			operations++
		}
		deadlines[i%inFlight] = t.after(5*time.Second, func() {})
		operations += 2
	})
	for _, h := range append(idle, deadlines[:]...) {
		if h != nil {
			h.Stop()
		}
	}
	return operations
}

// retries is a queue whose jobs are tried again after 100, 200, 400 and 800 ms; every timer fires.
func retries(t timers, d time.Duration) (operations int64) {
	const jobs = 5_000 // new ones a second
	calls := make(chan int, 1<<16)
	fail := func(try int) { t.after(100*time.Millisecond<<try, func() { calls <- try }) }
	pace(d, jobs, func(int) {
		fail(0)
		operations++
		for more := true; more; {
			select {
			case try := <-calls:
				operations++
				if try < 3 {
					fail(try + 1)
					operations++
				}
			default:
				more = false
			}
		}
	})
	return operations
}

// heartbeats watches 10,000 peers: each is sent a heartbeat every 2 s, and all of these timers are started together.
func heartbeats(t timers, d time.Duration) (operations int64) {
	const peers = 10_000
	var stops []func()
	for range peers {
		stops = append(stops, t.every(2*time.Second, func() {}))
	}
	time.Sleep(d)
	for _, stop := range stops {
		stop()
	}
	return 2 * peers * int64(d/(2*time.Second))
}
