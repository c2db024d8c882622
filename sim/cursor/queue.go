package cursor

import "time"

// Request is work to be done on the goroutine of a Runner.
type Request interface {
	// Do does the work, on the runner's goroutine.
	Do()
	// Merge tries to combine this request with next, the following request in the queue. If Merge returns
	// true, Do does the work of both requests, and next.Do is not called. Merge is called on the runner's
	// goroutine.
	Merge(next Request) bool
}

// requestFunc is a request that is never merged with the next one.
type requestFunc func()

func (f requestFunc) Do() { f() }

func (requestFunc) Merge(Request) bool { return false }

// waitingRequest is a request and the time, by the runner's clock, at which it arrived.
type waitingRequest struct {
	Request
	since time.Time
}

// requestQueue holds the pending requests of a runner: up to CommandsWaitingMax in the channel, and one
// that has been received from the channel but could not be merged.
type requestQueue struct {
	requests chan waitingRequest
	ahead    *waitingRequest // request to be executed before those in the channel; nil means none; used only by the runner's goroutine
}

func newRequestQueue() requestQueue {
	return requestQueue{requests: make(chan waitingRequest, CommandsWaitingMax)}
}

// poll removes and returns the first pending request, or returns false if there is none.
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

// merge merges as many pending requests as possible into first and returns first. It merges at most
// CommandsWaitingMax requests, so that it returns even if requests keep arriving.
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

// Submit queues request q for the runner's goroutine. The computations of q.Do fail once RequestWaitMax has
// elapsed since the call to Submit. Submit blocks while CommandsWaitingMax requests are pending, and must
// not be called on the runner's goroutine. It returns ErrRunnerEnded if the runner has ended.
func (r *Runner) Submit(q Request) error {
	waiting := waitingRequest{q, r.clock.Now()}
	select {
	case <-r.ended: // first: the channel may have room although the runner has ended
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

// Do queues f for the runner's goroutine, as Submit does. f is never merged with another request.
func (r *Runner) Do(f func()) error { return r.Submit(requestFunc(f)) }
