package sim

import "time"

// Request is work for the goroutine of a Runner.
type Request interface {
	// Do carries the request out, on the runner's goroutine.
	Do()
	// Merge tries to make next a part of this request, behind which it waits
	// immediately. If it returns true, Do carries out both, and next.Do is not
	// called. It is called on the runner's goroutine.
	Merge(next Request) bool
}

// requestFunc is a request that is never merged with the one behind it.
type requestFunc func()

func (f requestFunc) Do() { f() }

func (requestFunc) Merge(Request) bool { return false }

// waitingRequest is a request and the time of its arrival by the runner's clock.
type waitingRequest struct {
	Request
	since time.Time
}

// requestQueue holds requests that wait for a runner, CommandsWaitingMax and the
// one that was taken from among them because it could not be merged.
type requestQueue struct {
	requests chan waitingRequest
	ahead    *waitingRequest // comes before those in requests; used on the runner's goroutine
}

func newRequestQueue() requestQueue {
	return requestQueue{requests: make(chan waitingRequest, CommandsWaitingMax)}
}

// poll returns the first request, if one is waiting.
func (q *requestQueue) poll() (waitingRequest, bool) {
	if first := q.ahead; first != nil {
		q.ahead = nil
		return *first, true
	}
	select {
	case first := <-q.requests:
		return first, true
	default:
		return waitingRequest{}, false
	}
}

// merge merges the requests that wait behind first into it, as many as can be, and
// returns it. It takes CommandsWaitingMax at most, so that it ends though others
// are added meanwhile.
func (q *requestQueue) merge(first waitingRequest) Request {
	for range CommandsWaitingMax {
		next, ok := q.poll()
		if !ok {
			break
		}
		if !first.Merge(next.Request) {
			q.ahead = &next
			break
		}
	}
	return first.Request
}

// Submit has a request carried out on the runner's goroutine, after those before
// it. What it computes fails RequestWaitMax after Submit was called. Submit waits while CommandsWaitingMax
// others wait, and must not be called on the runner's goroutine. The error is ErrRunnerEnded.
func (r *Runner) Submit(q Request) error {
	waiting := waitingRequest{q, r.clock.Now()}
	select {
	case <-r.ended: // first: the channel may have room though no runner reads it
		return ErrRunnerEnded
	default:
	}
	select {
	case r.queue.requests <- waiting:
		return nil
	case <-r.ended:
		return ErrRunnerEnded
	}
}

// Do is Submit for a function, which is never merged with another request.
func (r *Runner) Do(f func()) error { return r.Submit(requestFunc(f)) }
