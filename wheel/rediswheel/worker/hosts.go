package worker

import (
	"cmp"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Limits for the receivers of a worker.
const (
	hostsMax   = 1024             // maximum number of receivers that are tracked separately; all others share one state
	hostRecent = 10 * time.Second // time for which a receiver counts as active after its last call began
	hostSlow   = time.Second      // minimum expected duration of a callback to a slow receiver; see hosts.limit
	hostSoon   = 50 * time.Millisecond

	// Tasks that are put back because of their receiver become due shortly after one another, so that
	// few claims suffice for any number of them.

	backMin     = 200 * time.Millisecond // minimum wait of a task that is put back because its receiver is busy or does not answer
	slotTimeMin = 2 * time.Millisecond   // minimum interval between the due times of tasks that are put back because one receiver is busy or does not answer
	backMax     = time.Second            // maximum wait of a task whose receiver already has the maximum number of callbacks
	openWaitMax = 30 * time.Second       // maximum wait of a task whose receiver does not answer

	breakerFailures = 5                      // number of consecutive callbacks without an answer after which a receiver gets only one callback at a time
	breakerFirst    = 500 * time.Millisecond // first wait before another callback to a receiver that does not answer; further waits double, up to breakerMax
	breakerMax      = 1500 * time.Millisecond
)

// Reasons for putting tasks back because of their receiver.
const (
	reasonBusy = "its receiver has as many callbacks as it may at a time"
	reasonOpen = "its receiver gives no answer; one callback at a time tries it"
)

// hosts contains the state of the receivers of a worker and decides which callbacks may run. It is guarded by pool.mu.
type hosts struct {
	size  int // maximum number of callbacks to all receivers at a time: Options.Concurrency
	fixed int // maximum number of callbacks to one receiver at a time, from Options.PerHost; 0 means that hosts.limit chooses it
	all   map[string]*host

	last, other called // latest call to any receiver, and latest call to any receiver except last.name
}

// called records the time at which the last call to the receiver with this name began.
type called struct {
	name string
	at   time.Time
}

// host is the state of one receiver, which is a host and port, or a handler.
type host struct {
	running int           // number of running callbacks
	took    time.Duration // moving average of the duration of callbacks; 0 if none has ended
	at      time.Time     // time at which the last call began
	moved   time.Time     // last time at which a callback ended, or began while no other was running
	next    time.Time     // earliest due time of the next task put back, up to its maximum wait; zero means no limit

	failed int // number of consecutive callbacks without an answer
	// opened is the number of waits between callbacks since the receiver last answered. The next wait is
	// breakerFirst, doubled once for each of these waits, up to breakerMax.
	opened int
	until  time.Time // end of the latest wait, during which no callback may begin; zero if there was none
}

// admission is the result of hosts.admit for a task. If start is true, the task is called now. Otherwise it waits in the
// queue of the pool, if soon is true, or is put back into the wheel to be claimed again later.
type admission struct {
	start bool
	soon  bool          // whether a running callback to the receiver is expected to end soon
	open  bool          // whether the task is put back because the receiver does not answer
	every time.Duration // interval at which the tasks that are put back because of this receiver become due
}

func newHosts(size, fixed int) *hosts {
	return &hosts{size: size, fixed: fixed, all: map[string]*host{}}
}

// receiverOf returns the name of the receiver of task t, or an empty string if its URL is invalid.
func receiverOf(t *rediswheel.Task) string {
	if t.Handler != "" {
		return "handler " + t.Handler
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// get returns the state of the named receiver, and creates it if necessary. If there are hostsMax receivers even
// after those not called recently have been forgotten, all other receivers share one state.
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

// admit decides whether a task of the named receiver may be called at the time now.
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

// putBack returns how to put back a task of the named receiver. a is the result of admit, which did not admit the task.
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

// limit returns the maximum number of callbacks to the named receiver that may run at a time. If hs.fixed is not 0, the
// limit is hs.fixed. If the receiver did not answer the last callback, or if other receivers are active and this one is
// slow or has not yet completed a callback, the limit is a quarter of hs.size. In all other cases it is seven eighths
// of hs.size, which leaves some slots for the first tasks of another receiver.
func (hs *hosts) limit(name string, h *host, now time.Time) int {
	switch {
	case hs.fixed > 0:
		return hs.fixed
	case h.failed > 0 || hs.othersActive(name, now) && (h.took == 0 || h.estimate(now) >= hostSlow):
		return max(hs.size/4, 1)
	}
	return hs.size - hs.size/8
}

// othersActive reports whether a receiver other than the named one was called less than hostRecent ago.
func (hs *hosts) othersActive(name string, now time.Time) bool {
	c := hs.last
	if c.name == name {
		c = hs.other
	}
	return !c.at.IsZero() && now.Sub(c.at) < hostRecent
}

// estimate returns the expected duration of a callback to the receiver, estimated from finished and running callbacks.
func (h *host) estimate(now time.Time) time.Duration {
	if h.running == 0 {
		return h.took
	}
	return max(h.took, now.Sub(h.moved))
}

// begin records that a call to the named receiver begins.
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

// end records that a call to the named receiver has ended. took is the duration of the call, and unanswered is
// whether the receiver failed to respond. end returns true if the receiver responds again after breakerFailures or
// more failures.
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

// room returns how many more callbacks to the named receiver may run. It returns 0 if the receiver
// did not answer the last callback.
func (hs *hosts) room(name string, now time.Time) int {
	h := cmp.Or(hs.all[name], hs.all[""], &host{})
	if h.failed > 0 {
		return 0
	}
	return max(hs.limit(name, h, now)-h.running, 0)
}

// closeBreaker permits an immediate callback to the named receiver. It is called when the receiver has answered another
// worker, and does nothing if this worker is not waiting before the next callback to the receiver.
func (hs *hosts) closeBreaker(name string, now time.Time) {
	if h := hs.all[name]; h != nil && h.until.After(now) {
		h.until = now
	}
}

// cancelBegin undoes begin if the call to the named receiver is not made after all.
func (hs *hosts) cancelBegin(name string, now time.Time) {
	h := hs.get(name, now)
	h.running = max(h.running-1, 0)
}

// movingAverage returns a moving average of durations: 7/8 of old, the previous average, plus 1/8
// of now, the latest duration. If old is 0, it returns now.
func movingAverage(old, now time.Duration) time.Duration {
	now = max(now, 1)
	if old == 0 {
		return now
	}
	return old + (now-old)/8
}

// jitter returns d plus a random duration of up to d/4, so that tasks do not become due together.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/4+1) }
