// Package herd finds timers that fire together again and again because their callers schedule them anew each time they fire.
// Package compare uses it for workloads and recordings, package timerhttp for the timers of a running program.
package herd

import (
	"cmp"
	"slices"
)

// Bounds of a herd.
const (
	Least = 32 // minimum number of timers
	Ratio = 4  // a herd has at least Ratio times as many timers as a tick would have if all were spread evenly over the period

	drift = 2 // maximum number of ticks between the firing of a timer and its next scheduling
)

// Arming is the scheduling, at tick At, of a timer that fires at tick Due.
type Arming struct{ At, Due int64 }

// Herd is a group of timers that fire together, are scheduled anew, and fire together again.
type Herd struct {
	Every  int64   // ticks from one firing to the next
	Due    int64   // tick of the first firing
	Timers int     // number of timers
	Runs   [][]int // for each firing, the indices of the armings
}

// link is a group of timers that are due together, whose predecessors fired together one period before.
type link struct{ due, every int64 }

// Rearmed returns the herds among the armings of timers that fired, which must be in order of At; the largest herd
// first. Timers belong to a herd if they fire together three times or more: two bursts happen by chance.
func Rearmed(list []Arming) []Herd {
	due := map[int64][]int{}
	for i, a := range list {
		due[a.Due] = append(due[a.Due], i)
	}
	links := map[link][]int{}
	for i, a := range list {
		before, most := int64(0), 0
		for t := a.At - drift; t <= a.At; t++ {
			if n := len(due[t]); n > most && t < a.Due {
				before, most = t, n
			}
		}
		if most >= Least {
			k := link{a.Due, a.Due - before}
			links[k] = append(links[k], i)
		}
	}
	var order []link
	for k, timers := range links {
		if len(timers) >= Least {
			order = append(order, k)
		}
	}
	slices.SortFunc(order, func(a, b link) int { return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.every, b.every)) })
	var herds []Herd
	used := map[link]bool{}
	for _, k := range order {
		if used[k] {
			continue
		}
		first := due[k.due-k.every]
		h := Herd{Every: k.every, Due: k.due - k.every, Runs: [][]int{first}}
		for at, ok := k, true; ok; at, ok = next(links, at, used) {
			used[at] = true
			h.Runs = append(h.Runs, links[at])
			h.Timers = max(h.Timers, len(links[at]))
		}
		if len(h.Runs) > 2 && h.Timers*int(min(h.Every, 1<<31)) >= Ratio*within(list, h.Due, k.due) {
			herds = append(herds, h)
		}
	}
	slices.SortStableFunc(herds, func(a, b Herd) int { return cmp.Compare(b.Timers, a.Timers) })
	return herds
}

// next returns the link that follows k, and whether there is one that is not used.
func next(links map[link][]int, k link, used map[link]bool) (link, bool) {
	for every := k.every - drift; every <= k.every+drift; every++ {
		if n := (link{k.due + every, every}); len(links[n]) >= Least && !used[n] {
			return n, true
		}
	}
	return link{}, false
}

// within returns the number of armings due after tick from and until tick to.
func within(list []Arming, from, to int64) (n int) {
	for _, a := range list {
		if a.Due > from && a.Due <= to {
			n++
		}
	}
	return n
}
