package worker

import (
	"errors"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// Limits for the receivers of a worker.
const (
	receiversMax    = 1024        // maximum number of receivers that are tracked separately; all others share one state
	breakerFailures = 5           // number of consecutive callbacks without an answer after which a receiver gets only one callback at a time
	breakerWait     = time.Second // wait before that callback, and maximum wait of a task that is put back because its receiver is busy or does not answer
)

// Reasons for putting tasks back because of their receiver.
const (
	reasonBusy = "its receiver has as many callbacks as it may at a time"
	reasonOpen = "its receiver gives no answer; one callback at a time tries it"
)

// Results of a call for a circuit breaker, besides nil.
var (
	errNoAnswer  = errors.New("no answer")
	errNotCalled = errors.New("not called")
)

// receivers limits the calls to each receiver. It is guarded by pool.mu.
type receivers struct {
	limit int // maximum number of callbacks to one receiver at a time
	all   map[string]*receiver
}

// receiver is the state of one receiver, which is a host and port, or a handler.
type receiver struct {
	running int       // number of running callbacks
	ended   time.Time // time at which the last callback ended, or began while no other was running
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
}

func newReceivers(limit int) *receivers {
	return &receivers{limit: limit, all: map[string]*receiver{}}
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

// get returns the state of the named receiver, and creates it if necessary. If there are receiversMax receivers even
// after those have been forgotten that are not being called and whose breaker is not open, all other receivers share one
// state.
func (rs *receivers) get(name string) *receiver {
	if r := rs.all[name]; r != nil {
		return r
	}
	if len(rs.all) >= receiversMax {
		for name, r := range rs.all {
			if r.running == 0 && r.breaker.State() != gobreaker.StateOpen {
				delete(rs.all, name)
			}
		}
		if len(rs.all) >= receiversMax {
			name = ""
			if r := rs.all[name]; r != nil {
				return r
			}
		}
	}
	r := &receiver{breaker: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Timeout:     breakerWait,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= breakerFailures },
		IsExcluded:  func(err error) bool { return errors.Is(err, errNotCalled) },
	})}
	rs.all[name] = r
	return r
}

// admission is the result of receivers.admit for a task. If reason is empty, the task is called, and end must be called
// with nil, errNoAnswer or errNotCalled afterwards.
type admission struct {
	end    func(error)
	reason string
	soon   bool // whether a running callback to the receiver is expected to end soon
}

// admit decides whether a task of the named receiver may be called now, and counts the call.
func (rs *receivers) admit(name string, now time.Time) admission {
	r := rs.get(name)
	if r.running >= rs.limit {
		return admission{reason: reasonBusy, soon: now.Sub(r.ended) < queueWait}
	}
	done, err := r.breaker.Allow()
	if err != nil {
		return admission{reason: reasonOpen}
	}
	if r.running == 0 {
		r.ended = now
	}
	r.running++
	return admission{end: func(err error) {
		r.running--
		r.ended = time.Now()
		done(err)
	}}
}

// putBackWait returns a random wait for a task that is put back because of its receiver.
func putBackWait() time.Duration { return breakerWait/5 + rand.N(breakerWait*4/5) }

// movingAverage returns a moving average of durations: 7/8 of old, the previous average, plus 1/8
// of now, the latest duration. If old is 0, it returns now.
func movingAverage(old, now time.Duration) time.Duration {
	now = max(now, 1)
	if old == 0 {
		return now
	}
	return old + (now-old)/8
}
