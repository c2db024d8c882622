package worker

import (
	"cmp"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// Limits for the receivers of a worker.
const (
	hostsMax   = 1024             // number of receivers that are tracked separately
	hostRecent = 10 * time.Second // time after its last call for which a receiver counts as active
	hostSlow   = time.Second      // duration of a callback from which its receiver counts as slow and gets a quarter of the slots
	hostSoon   = 50 * time.Millisecond

	// Waits of tasks that are put back because their receiver has its maximum number of callbacks.
	// Each becomes due shortly after the previous one, so that few claims suffice for any number of
	// them.
	backMin     = 200 * time.Millisecond
	slotTimeMin = 2 * time.Millisecond
	backMax     = time.Second
	openWaitMax = 30 * time.Second // maximum wait if the receiver does not answer

	breakerFailures = 5                      // number of consecutive callbacks without an answer after which the receiver gets one at a time
	breakerFirst    = 500 * time.Millisecond // wait before a callback tries the receiver again; doubled each time
	breakerMax      = 1500 * time.Millisecond
)

// Reasons for putting tasks back because of their receiver.
const (
	reasonBusy = "its receiver has as many callbacks as it may at a time"
	reasonOpen = "its receiver gives no answer; one callback at a time tries it"
)

// hosts is the state of the receivers of a worker, by which it decides which callbacks may run. It
// is guarded by the mutex of the pool.
type hosts struct {
	size  int // number of slots of the pool
	fixed int // number of slots for one receiver; 0 means the number that hosts.limit returns
	all   map[string]*host

	last, other called // receiver called last, and the last receiver called before that one
}

// called is a receiver and the time of its last call.
type called struct {
	name string
	at   time.Time
}

// host is the state of one receiver: a host and port, or a handler.
type host struct {
	running int           // number of running callbacks
	took    time.Duration // smoothed duration of a callback; 0 if none has ended
	at      time.Time     // time of the last call
	moved   time.Time     // time at which a callback last ended, or the first running one began
	next    time.Time     // earliest time at which the next task that is put back becomes due; zero means no limit

	failed int // number of consecutive callbacks without an answer
	opened int // number of consecutive times that further callbacks had to wait because the receiver did not answer
	until  time.Time
}

// admission is the decision whether a task is called now.
type admission struct {
	start bool
	soon  bool          // whether a slot is expected to be free soon
	open  bool          // whether the task is put back because the receiver does not answer
	every time.Duration // time between the instants at which two tasks that are put back become due again
}

func newHosts(size, fixed int) *hosts {
	return &hosts{size: size, fixed: fixed, all: map[string]*host{}}
}

// receiverOf returns the name of the receiver of a task, and its parsed URL unless it is a handler.
func receiverOf(t *rediswheel.Task) (name string, target *url.URL) {
	if t.Handler != "" {
		return "handler " + t.Handler, nil
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return "", nil
	}
	return strings.ToLower(u.Host), u
}

// get returns the state of the named receiver, which it creates if necessary. Receivers beyond
// hostsMax share one state.
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

// admit decides whether a task of the named receiver is called at now.
func (hs *hosts) admit(name string, now time.Time) admission {
	h := hs.get(name, now)
	if h.failed >= breakerFailures {
		if now.Before(h.until) || h.running > 0 {
			return admission{open: true, every: slotTimeMin}
		}
		return admission{start: true}
	}
	limit := hs.limit(name, h, now)
	if h.running < limit {
		return admission{start: true}
	}
	took := h.estimate(now)
	return admission{soon: took <= hostSoon, every: max(took/time.Duration(limit), slotTimeMin)}
}

// putBack returns the wait and the reason with which a task that was not admitted is put back.
func (hs *hosts) putBack(name string, a admission, now time.Time) putBack {
	h := hs.get(name, now)
	p, most, at := putBack{reason: reasonBusy}, backMax, now.Add(backMin)
	if a.open {
		p.open = true
		p.reason, most = reasonOpen, openWaitMax
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

// limit returns the maximum number of running callbacks of a receiver. It is a quarter of the slots
// if the receiver does not answer or, while other receivers are called, is slow or not known yet.
// Otherwise it is seven eighths of the slots, so that the first tasks of another receiver find a
// slot.
func (hs *hosts) limit(name string, h *host, now time.Time) int {
	switch {
	case hs.fixed > 0:
		return hs.fixed
	case h.failed > 0 || hs.othersActive(name, now) && (h.took == 0 || h.estimate(now) >= hostSlow):
		return max(hs.size/4, 1)
	}
	return hs.size - hs.size/8
}

// othersActive reports whether a receiver other than name was called recently.
func (hs *hosts) othersActive(name string, now time.Time) bool {
	c := hs.last
	if c.name == name {
		c = hs.other
	}
	return !c.at.IsZero() && now.Sub(c.at) < hostRecent
}

// estimate returns the expected duration of a callback, from those that have ended and those that
// are running.
func (h *host) estimate(now time.Time) time.Duration {
	if h.running == 0 {
		return h.took
	}
	return max(h.took, now.Sub(h.moved))
}

// begin records the start of a call to the named receiver.
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

// end records the end of a call. unanswered is true if the receiver did not respond. end returns
// true if a receiver that was considered down responds again.
func (hs *hosts) end(name string, took time.Duration, unanswered bool, now time.Time) (again bool) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
	h.moved = now
	h.took = movingAverage(h.took, took)
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

// room returns how many more callbacks to a receiver may run. It returns 0 if the receiver did not answer
// the last one.
func (hs *hosts) room(name string, now time.Time) int {
	h := cmp.Or(hs.all[name], hs.all[""], &host{})
	if h.failed > 0 {
		return 0
	}
	return max(hs.limit(name, h, now)-h.running, 0)
}

// closeBreaker permits a callback to the named receiver at once, since it has answered another
// worker. It does nothing unless the receiver has not answered and a wait is in progress.
func (hs *hosts) closeBreaker(name string, now time.Time) {
	if h := hs.all[name]; h != nil && h.until.After(now) {
		h.until = now
	}
}

// cancelBegin cancels what begin has recorded, for a call to the named receiver that was not made.
func (hs *hosts) cancelBegin(name string, now time.Time) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
}

// movingAverage returns a moving average of durations: 7/8 of old, the average so far, and 1/8 of now, the latest
// duration. If old is 0, it returns now.
func movingAverage(old, now time.Duration) time.Duration {
	now = max(now, 1)
	if old == 0 {
		return now
	}
	return old + (now-old)/8
}

// jitter returns d plus up to a quarter of it, at random, so that tasks do not become due together.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/4+1) }
