package redis

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// Bounds of what a worker does with one receiver.
const (
	hostsMax    = 1024             // receivers that are told apart
	hostRecent  = 10 * time.Second // in which another receiver was called that slots are kept for
	hostSlow    = time.Second      // of a callback, from which its receiver gets a quarter of the slots
	hostSoon    = 50 * time.Millisecond
	hostBackMin = 200 * time.Millisecond // before a task is claimed again whose receiver is at its limit
	hostBackMax = 5 * time.Second
	hostBackN   = 10_000

	breakerFailures = 5 // callbacks in a row without an answer
	breakerFirst    = time.Second
	breakerMax      = 30 * time.Second
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
	back    int           // tasks that were put back since slots were free

	failed int // callbacks in a row without an answer
	opened int // times in a row that the circuit was opened
	until  time.Time
}

// admission is what is to be done with a task.
type admission struct {
	start bool
	soon  bool          // a slot will be free in a moment
	wait  time.Duration // else: how long it is to be put back
	why   string
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
		switch {
		case now.Before(h.until):
			return admission{wait: jitter(h.until.Sub(now)), why: "its receiver gives no answer; the circuit is open"}
		case h.running > 0:
			return admission{wait: jitter(max(breakerFirst, h.estimate(now))), why: "its receiver gives no answer; one callback tries it"}
		}
		return admission{start: true}
	}
	limit := hs.limit(name, h, now)
	if h.running < limit {
		return admission{start: true}
	}
	took := h.estimate(now)
	if took <= hostSoon {
		return admission{soon: true}
	}
	wait := min(max(time.Duration(h.back/limit+1)*took, hostBackMin), hostBackMax)
	return admission{wait: jitter(wait), why: "its receiver has as many callbacks as it may at a time"}
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
	h.back = max(h.back-1, 0)
	if hs.last.name != name {
		hs.other = hs.last
	}
	hs.last = called{name, now}
}

// end notes the end of a call; unanswered: the receiver gave no answer.
func (hs *hosts) end(name string, took time.Duration, unanswered bool, now time.Time) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
	h.moved = now
	h.took = smooth(h.took, took)
	if !unanswered {
		h.failed, h.opened = 0, 0
		return
	}
	h.failed++
	if h.failed >= breakerFailures && !now.Before(h.until) {
		h.until = now.Add(min(breakerFirst<<min(h.opened, 10), breakerMax))
		h.opened++
	}
}

// forgo notes that a call that begin noted was not made.
func (hs *hosts) forgo(name string, now time.Time) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
}

// putBack notes a task that was put back because of its receiver.
func (hs *hosts) putBack(name string, now time.Time) {
	h := hs.get(name, now)
	h.back = min(h.back+1, hostBackN)
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
