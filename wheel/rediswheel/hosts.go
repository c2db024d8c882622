package rediswheel

import (
	"cmp"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// Bounds of what a worker does with one receiver.
const (
	hostsMax   = 1024             // receivers that are kept apart
	hostRecent = 10 * time.Second // in which another receiver was called that slots are kept for
	hostSlow   = time.Second      // of a callback, from which its receiver gets a quarter of the slots
	hostSoon   = 50 * time.Millisecond

	// Tasks whose receiver has as many callbacks as it may are put back, each to come again a moment
	// after the one before, so that they cost few claims however many they are.
	backMin    = 200 * time.Millisecond
	backEvery  = 2 * time.Millisecond
	backMax    = time.Second
	backAtOpen = 30 * time.Second // at most, if the receiver gives no answer

	breakerFailures = 5                      // callbacks in a row without an answer
	breakerFirst    = 500 * time.Millisecond // until a callback tries the receiver again; doubled
	breakerMax      = 1500 * time.Millisecond
)

// The reasons why tasks are put back because of their receiver.
const (
	reasonBusy = "its receiver has as many callbacks as it may at a time"
	reasonOpen = "its receiver gives no answer; one callback at a time tries it"
)

// hosts is what a worker knows of the receivers of its callbacks. It is guarded by its pool.
type hosts struct {
	size  int // slots of the pool
	fixed int // of them for one receiver; 0: as many as host.limit says
	all   map[string]*host

	last, other called // the receivers called last
}

// called is a receiver and when it was called.
type called struct {
	name string
	at   time.Time
}

// host is one receiver: a host and port, or a handler.
type host struct {
	running int           // callbacks
	took    time.Duration // smoothed time of a callback; 0: none has ended
	at      time.Time     // of the last call
	moved   time.Time     // when a callback ended, or the first of those running began
	next    time.Time     // when the next task that is put back comes again

	failed int // callbacks in a row without an answer
	opened int // times in a row that the circuit was opened
	until  time.Time
}

// admission is what is to be done with a task.
type admission struct {
	start bool
	soon  bool          // a slot will be free in a moment
	open  bool          // else it is put back; because the receiver gives no answer
	every time.Duration // after the task that was put back before
}

func newHosts(size, fixed int) *hosts {
	return &hosts{size: size, fixed: fixed, all: map[string]*host{}}
}

// hostOf is what a task's callbacks are counted by.
func hostOf(t *Task) string {
	if t.Handler != "" {
		return "handler " + t.Handler
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// get finds a receiver. Those past hostsMax share one.
func (hs *hosts) get(name string, now time.Time) *host {
	if h := hs.all[name]; h != nil {
		return h
	}
	if len(hs.all) >= hostsMax {
		for name, h := range hs.all {
			if h.running == 0 && now.Sub(h.at) > hostRecent && now.After(h.until) {
				delete(hs.all, name)
			}
		}
		if len(hs.all) >= hostsMax {
			name = ""
			if h := hs.all[name]; h != nil {
				return h
			}
		}
	}
	h := &host{}
	hs.all[name] = h
	return h
}

// admit decides on a task of a receiver.
func (hs *hosts) admit(name string, now time.Time) admission {
	h := hs.get(name, now)
	if h.failed >= breakerFailures {
		if now.Before(h.until) || h.running > 0 {
			return admission{open: true, every: backEvery}
		}
		return admission{start: true}
	}
	limit := hs.limit(name, h, now)
	if h.running < limit {
		return admission{start: true}
	}
	took := h.estimate(now)
	return admission{soon: took <= hostSoon, every: max(took/time.Duration(limit), backEvery)}
}

// putBack returns how a task is put back that was not admitted.
func (hs *hosts) putBack(name string, a admission, now time.Time) putBack {
	h := hs.get(name, now)
	p, most, at := putBack{reason: reasonBusy}, backMax, now.Add(backMin)
	if a.open {
		p.open = true
		p.reason, most = reasonOpen, backAtOpen
		at = later(at, h.until)
	}
	at = later(at, h.next)
	if end := now.Add(most); at.After(end) {
		at = end
	}
	h.next = at.Add(a.every)
	p.wait = at.Sub(now)
	return p
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// limit is how many callbacks of a receiver may run. It is a quarter of the slots if the receiver
// is slow, fails, or is not known yet, while others are called; else all but an eighth, so
// that the first tasks of another find a slot.
func (hs *hosts) limit(name string, h *host, now time.Time) int {
	switch {
	case hs.fixed > 0:
		return hs.fixed
	case h.failed > 0 || hs.contended(name, now) && (h.took == 0 || h.estimate(now) >= hostSlow):
		return max(hs.size/4, 1)
	}
	return hs.size - hs.size/8
}

// contended reports whether another receiver was called lately.
func (hs *hosts) contended(name string, now time.Time) bool {
	c := hs.last
	if c.name == name {
		c = hs.other
	}
	return !c.at.IsZero() && now.Sub(c.at) < hostRecent
}

// estimate is how long a callback takes, by those that ended and those that do not.
func (h *host) estimate(now time.Time) time.Duration {
	if h.running == 0 {
		return h.took
	}
	return max(h.took, now.Sub(h.moved))
}

// begin notes a call.
func (hs *hosts) begin(name string, now time.Time) {
	h := hs.get(name, now)
	if h.running == 0 {
		h.moved = now
	}
	h.running++
	h.at = now
	if hs.last.name != name {
		hs.other = hs.last
	}
	hs.last = called{name, now}
}

// end notes the end of a call; unanswered: the receiver gave no answer. It reports whether the receiver answers
// again.
func (hs *hosts) end(name string, took time.Duration, unanswered bool, now time.Time) (again bool) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
	h.moved = now
	h.took = smooth(h.took, took)
	if !unanswered {
		if again = h.failed >= breakerFailures; again {
			h.next = time.Time{}
		}
		h.failed, h.opened = 0, 0
		return again
	}
	h.failed++
	if h.failed >= breakerFailures && !now.Before(h.until) {
		h.until = now.Add(min(breakerFirst<<min(h.opened, 10), breakerMax))
		h.opened++
	}
	return false
}

// room returns how many more callbacks of a receiver may run than do: none if the last had no answer.
func (hs *hosts) room(name string, now time.Time) int {
	h := cmp.Or(hs.all[name], hs.all[""], &host{})
	if h.failed > 0 {
		return 0
	}
	return max(hs.limit(name, h, now)-h.running, 0)
}

// tryNow lets a callback try a receiver at once that gave no answer.
func (hs *hosts) tryNow(name string, now time.Time) {
	if h := hs.all[name]; h != nil && h.until.After(now) {
		h.until = now
	}
}

// forgo notes that a call that begin noted was not made.
func (hs *hosts) forgo(name string, now time.Time) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
}

// smooth follows a time: half of the difference at first, then an eighth.
func smooth(old, now time.Duration) time.Duration {
	now = max(now, 1)
	if old == 0 {
		return now
	}
	return old + (now-old)/8
}

// jitter lengthens a wait by up to a quarter, so that tasks do not come back together.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/4+1) }
