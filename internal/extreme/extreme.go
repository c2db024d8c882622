// Package extreme generates scenarios near the limits, for tests: very long times, long stalls,
// many lanes, equal arrivals, endless repeats.
//
// A generated text need not be a valid scenario. A program that reads it must either reject it in one line or
// compute the run within its limits.
package extreme

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// smallTimers is the maximum number of timers that one element of workload.generate creates in a scenario
// returned by Small.
const smallTimers = 300

// Scenario returns the JSON of a random scenario, which need not be valid. Each element of its list
// workload.generate creates at most scenario.TimersMax timers.
func Scenario(rng *rand.Rand) []byte { return generate(rng, scenario.TimersMax) }

// Small is like Scenario, but each element of workload.generate creates at most smallTimers timers, so that a
// test can run the scenario.
func Small(rng *rand.Rand) []byte { return generate(rng, smallTimers) }

// generator generates one scenario.
type generator struct {
	*rand.Rand
	timers int   // maximum number of timers that an element of workload.generate creates
	start  int64 // absolute tick at which the scenario starts
	until  int64 // value of the scenario's field until, if it has one
	sound  bool  // whether to avoid conflicts between fields, such as equal lane IDs
}

type object = map[string]any

func generate(rng *rand.Rand, timers int) []byte {
	g := &generator{Rand: rng, timers: timers}
	g.sound = g.chance(9, 10)
	if g.chance(1, 4) {
		g.start = g.upTo(g.room())
	}
	g.until = g.upTo(g.room() / 2)
	s := object{"wheelscope": scenario.FormatVersion, "start": g.start, "lanes": g.lanes()}
	if g.chance(9, 10) {
		s["until"] = g.until
	}
	if g.chance(1, 4) {
		s["tick"] = pick(g, "1ns", "1us", "1s", "60s", "3600s")
	}
	workload := object{"ops": g.ops()}
	if g.chance(1, 2) {
		workload["generate"] = g.groups()
	}
	s["workload"] = workload
	text, err := json.Marshal(s)
	if err != nil { // maps, numbers and strings only
		panic(err)
	}
	return text
}

// room returns the largest tick, relative to the start of the scenario, that may be generated. If g.sound is
// true, this is the tick that corresponds to wheel.TickMax, the largest tick of a wheel. Otherwise it is
// wheel.TickMax itself, so that generated ticks may be too large for the wheels.
func (g *generator) room() int64 {
	if g.sound {
		return wheel.TickMax - g.start
	}
	return wheel.TickMax
}

func (g *generator) chance(n, of int) bool { return g.IntN(of) < n }

func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// ticks returns a random number of ticks from 0 to wheel.TickMax, distributed like the result of upTo.
func (g *generator) ticks() int64 { return g.upTo(wheel.TickMax) }

// upTo returns a random number from 0 to high. It is often close to 0, to high or to a power of two, and
// otherwise of a random order of magnitude.
func (g *generator) upTo(high int64) int64 {
	n := int64(0)
	switch g.IntN(6) {
	case 0:
		n = int64(g.IntN(3))
	case 1:
		n = high - int64(g.IntN(3))
	case 2:
		n = 1<<g.IntN(62) + int64(g.IntN(3)) - 1
	case 3:
		n = int64(g.IntN(1000))
	default:
		n = g.Int64N(1 << (1 + g.IntN(62)))
	}
	return min(max(n, 0), high)
}

// between returns a random number from low to high, distributed like the result of upTo.
func (g *generator) between(low, high int64) int64 { return low + g.upTo(high-low) }

func (g *generator) lanes() []object {
	count := pick(g, 1, 1, 2, 3, 1+g.IntN(scenario.LanesMax), scenario.LanesMax)
	all := algorithms.Catalogue()
	same := g.chance(1, 4)
	a := &all[g.IntN(len(all))]
	var lanes []object
	for i := range count {
		if !same {
			a = &all[g.IntN(len(all))]
		}
		lane := g.lane(a)
		if g.sound {
			lane["id"] = strconv.Itoa(i)
		}
		lanes = append(lanes, lane)
	}
	return lanes
}

// lane returns a lane with algorithm a and random values for some of its parameters.
func (g *generator) lane(a *catalog.Algorithm) object {
	lane := object{"algorithm": a.ID}
	for i := range a.Parameters {
		p := &a.Parameters[i]
		if g.chance(1, 2) {
			continue
		}
		switch p.Type {
		case catalog.TypeChoice:
			lane[p.Name] = pick(g, p.Options...)
		case catalog.TypeNames:
			lane[p.Name] = p.Options[:g.IntN(len(p.Options)+1)]
		case catalog.TypeInts:
			if lane["levels"] == nil && g.chance(1, 2) {
				lane[p.Name] = g.sizes(p)
				continue
			}
			lane[p.Name] = g.between(p.Min, p.Max)
		default:
			if _, list := lane["slots"].([]int64); p.Name != "levels" || !list {
				lane[p.Name] = g.between(p.Min, p.Max)
			}
		}
	}
	return lane
}

// sizes returns random numbers of slots for one to four levels. Each of them is a valid value of parameter p.
func (g *generator) sizes(p *catalog.Parameter) []int64 {
	var sizes []int64
	for range 1 + g.IntN(4) {
		sizes = append(sizes, g.between(p.Min, min(p.Max, 1<<(4+g.IntN(13)))))
	}
	return sizes
}

// ops returns fewer than 40 random operations, ordered by time. There are only a few different timer names,
// so several operations often concern the same timer.
func (g *generator) ops() []object {
	at := make([]int64, g.IntN(40))
	equal := g.chance(1, 3)
	for i := range at {
		if at[i] = g.upTo(g.until); equal && i > 0 && g.chance(7, 8) {
			at[i] = at[i-1]
		}
	}
	slices.Sort(at)
	ops := []object{}
	set := map[string]bool{}
	for _, at := range at {
		ops = append(ops, g.op(at, set))
	}
	return ops
}

// op returns a random operation. The parameter at is the operation's tick, and set contains the names of the
// timers that earlier operations have scheduled. If the new operation schedules a timer, op adds that timer's
// name to set.
func (g *generator) op(at int64, set map[string]bool) object {
	name := pick(g, "a", "b", "c", "d", "e", "f", "g", "h")
	kind := pick(g, "set", "set", "set", "reset", "cancel", "stall", "clock")
	switch {
	case kind == "stall":
		return object{"at": at, "op": kind, "for": g.between(1, wheel.TickMax)}
	case kind == "clock":
		return object{"at": at, "op": kind, "by": pick(g, int64(-1), 1) * g.ticks()}
	case kind != "set" && g.sound && !set[name]:
		kind = "set"
	case kind == "cancel":
		return object{"at": at, "op": kind, "timer": name}
	}
	set[name] = true
	room := g.room() - at
	op := object{"at": at, "op": kind, "timer": name, "delay": g.upTo(room)}
	if g.chance(1, 8) {
		op["delay"] = -g.upTo(wheel.TickMax - g.start)
	}
	if g.chance(1, 4) {
		times := g.times()
		op["delay"], op["every"], op["times"] = g.upTo(room/2), g.between(1, max(room/2/max(times, 1), 1)), times
	}
	if g.chance(1, 8) {
		op["created"] = pick(g, int64(-1), 1) * g.ticks()
	}
	return op
}

func (g *generator) times() int64 { return pick(g, -1, 1, 2, 1+int64(g.IntN(1000)), 1<<31-1) }

// groups returns one to three random elements of workload.generate, each of which creates up to g.timers
// timers.
func (g *generator) groups() []object {
	var groups []object
	for i := range 1 + g.IntN(3) {
		group := object{"prefix": string(rune('p' + i)), "seed": g.IntN(1000), "count": g.upTo(int64(g.timers)),
			"arrivals": g.dist(), "delay": g.dist()}
		if g.chance(1, 4) {
			times := g.times()
			group["every"], group["times"] = g.between(1, max(g.room()/4/max(times, 1), 1)), times
		}
		if g.chance(1, 3) {
			group["cancel"] = object{"fraction": pick(g, 0, 0.5, 1), "after": g.dist()}
		}
		if g.chance(1, 6) {
			group["reset"] = object{"fraction": pick(g, 0, 0.01, 1), "every": g.dist(), "until": g.dist()}
		}
		groups = append(groups, group)
	}
	return groups
}

// dist returns a random distribution of durations: a constant, or uniform over a range.
func (g *generator) dist() object {
	high := g.room() / 8
	low := g.upTo(min(high, 1<<(1+g.IntN(61))))
	if g.chance(1, 2) {
		return object{"dist": "constant", "value": low}
	}
	return object{"dist": "uniform", "min": low, "max": g.between(low, high)}
}
