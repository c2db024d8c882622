package knowledge

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// The costs on the pages are compared with those that the wheels count: the work of an operation
// with 1,100 and with 8,800 pending timers. Neither number is near a power of two, where a calendar
// is resized.
const (
	fewTimers  = 1_100
	manyTimers = 8_800
	idleTicks  = 512
	leastDelay = 1_000 // more than idleTicks, so that no timer is due
	sampled    = 200   // number of operations in a mean
)

// sizes returns the two numbers of timers for a measurement. They are a tenth of the usual ones if a
// lane cannot hold more.
func sizes(id string) (few, many int) {
	if id == "redis" {
		return fewTimers / 10, manyTimers / 10
	}
	return fewTimers, manyTimers
}

// work is the mean cost of a start, of a stop, and of a tick without due timers.
type work struct{ start, stop, tick float64 }

// measure fills a wheel and counts the work of operations on it.
func measure(t *testing.T, id string, timers int) work {
	t.Helper()
	w, err := algorithms.New(id, sharingSlots(id), 0)
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	var handles []wheel.Timer
	arm := func() {
		h, _, err := w.Schedule(wheel.Spec{Due: w.Now() + leastDelay + draw.Int64N(4*manyTimers), Key: uint32(len(handles) + 1)})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		handles = append(handles, h)
	}
	mean := func(n int, do func()) float64 {
		before := w.Cost().Total()
		for range n {
			do()
		}
		return float64(w.Cost().Total()-before) / float64(n)
	}
	for range timers {
		arm()
	}
	var m work
	m.start = mean(sampled, arm)
	m.stop = mean(sampled, func() {
		k := draw.IntN(len(handles))
		if !w.Cancel(handles[k]) {
			t.Fatalf("%s: a timer is not there", id)
		}
		handles[k] = handles[len(handles)-1]
		handles = handles[:len(handles)-1]
	})
	w.Advance(1, nil, 0) // work that starts and stops have postponed to the first tick
	m.tick = mean(1, func() { w.Advance(1+idleTicks, nil, 0) })
	return m
}

// sharingSlots returns parameters with which timers share slots. The exceptions are the algorithm whose
// mean cost is valid only if they do not, and the one that would reject them.
func sharingSlots(id string) catalog.Params {
	a, _ := algorithms.Lookup(id)
	for _, q := range a.Parameters {
		switch {
		case id == "hashed-sorted" || id == "simple":
			return catalog.Params{"slots": int64(wheel.SlotsMax)}
		case q.Name == "slots" && id != "hierarchical" && id != "kafka" && id != "calendar":
			return catalog.Params{"slots": int64(64)}
		}
	}
	return nil
}

// With eight times as many timers a constant cost stays the same, a logarithmic one grows by less
// than half, and a linear one grows nearly eightfold.
func TestCostsAreAsThePagesSay(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		page, _ := Of(a.ID)
		least, most := sizes(a.ID)
		few, many := measure(t, a.ID, least), measure(t, a.ID, most)
		for _, c := range []struct {
			what      string
			said      Cost
			few, many float64
		}{
			{"start", page.Start, few.start, many.start}, {"stop", page.Stop, few.stop, many.stop}, {"tick", page.Tick, few.tick, many.tick},
		} {
			grows := (c.many + 1) / (c.few + 1)
			least, most := 0.0, 1.2
			switch {
			case strings.HasPrefix(c.said.Cost, "O(n)"):
				least, most = 4, 9
				if a.ID == "agrona" {
					least = 3.9 // its cells double: eight times as many timers take four, eight or sixteen times as many
				}
			case strings.HasPrefix(c.said.Cost, "O(log"):
				most = 1.5
			}
			if grows < least || grows > most {
				t.Errorf("%s of %s, said to be %s, costs %.1f with %d timers and %.1f with %d", c.what, a.ID, c.said.Cost, c.few, fewTimers, c.many, manyTimers)
			}
		}
	}
}
