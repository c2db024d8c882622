package cursor

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// Limits and intervals of a session's Runner.
const (
	CommandsWaitingMax   = 64                     // maximum number of queued requests
	FrameInterval        = time.Second / 60       // minimum time between two frames; up to StrideMax times as long under load
	FrameWorkMax         = 12 * time.Millisecond  // time after which a frame, or a part of a search, does no more work
	FrameRangesMax       = 256                    // maximum number of calls to Listener.OnMove or OnSeek for a frame
	FrameRangeRecordsMax = 1 << 16                // maximum number of records in an event range of a frame
	RestDelay            = 150 * time.Millisecond // time without movement after which Listener.OnIdle is called
	ProgressInterval     = 250 * time.Millisecond // time between two progress reports of the first pass or of a search
	GoalInterval         = 20 * time.Millisecond  // time between two attempts of a seek whose destination has not been computed yet
	StepWaitMax          = time.Second            // maximum time for which Runner.MoveBy waits for events to be computed
	OpenWaitMax          = 2 * time.Second        // maximum time for which Runner.Open waits for the given tick to be computed
	RequestWaitMax       = 7 * time.Second        // maximum time for the computations of a request, from its arrival
	SeekAnswerMax        = 8 * time.Second        // time after which the request for a seek is answered even if the seek continues
)

// ErrRunnerEnded is returned by Runner.Submit and Runner.Do if the runner has ended and accepts no more requests.
var ErrRunnerEnded = errors.New("sim: the session has ended")

// Listener receives the movements and the state changes of a Runner. Its methods are called on the runner's
// goroutine, one at a time, and must not block.
type Listener interface {
	// OnOpen is called when the session has moved to another run. A call to OnSeek follows.
	OnOpen(*sim.Run)
	// OnSeek is called with the complete state at the cursor when the cursor has moved without a call to
	// OnMove: after OnOpen, a seek or a search that found a match, or if a step, or a tick during playback,
	// has too many events for OnMove.
	OnSeek(*engine.Snapshot)
	// OnMove is called with the events between the previous and the current position of the cursor. A frame
	// consists of one or more calls to OnMove or OnSeek, followed by a call to OnFrame. OnMove must not
	// change the EventRange.
	OnMove(*sim.EventRange)
	// OnFrame is called at the end of a frame. What was passed to OnMove and OnSeek should be shown now.
	// OnFrame returns true if too many viewers have not yet received the previous frame.
	OnFrame() (late bool)
	// OnReminder is called once, at the time set by Runner.Remind.
	OnReminder()
	// OnIdle is called when the cursor has not moved for RestDelay and the runner is neither
	// playing nor seeking.
	OnIdle()
	// OnPlayback is called with the new playback state after it has changed.
	OnPlayback(Playing)
	// OnProgress is called when the run's first pass may have advanced or ended.
	OnProgress()
	// OnSearch is called with the progress or the result of a search that was started by Find.
	OnSearch(Search)
	// OnError is called with an error that occurred outside a request, for example during playback. The runner has
	// stopped playing.
	OnError(error)
	// Detail returns the maximum number of timers per wheel.Place that the next OnSeek should list, or
	// wheel.AllEntries for all. lanes are in the state that OnSeek will report; they are nil if that state
	// has not been computed yet.
	Detail(lanes []*engine.Lane) int
}

// Playing is the playback state of a Runner.
type Playing struct {
	On   bool
	Rate float64 // rate in base ticks per second; 0 means as fast as possible
	End  bool    // whether the cursor is at the end of the run
}

// Runner moves the cursor of one session along a run: by stepping, by seeking, or by playing at a given rate in
// ticks per second, measured by the Runner's clock. It does all its work, including the requests passed to
// Submit, on the goroutine that calls Run, so a session needs no locks.
type Runner struct {
	clock    clock.Clock
	listener Listener
	queue    requestQueue
	ended    chan struct{} // closed when Run returns

	run      *sim.Run
	cursor   sim.Position
	pace     pace
	rate     throttle         // computes the time between two frames, which is longer under load
	reported Playing          // playback state last reported to the listener
	on       bool             // whether the runner is playing
	short    shortage         // time at which frames began to fail for lack of memory; zero if the last frame did not fail
	span     int64            // number of ticks whose events are expected to fit into one call to Listener.OnMove
	goal     *goal            // destination of the seek in progress; nil means none
	arrived  func(error)      // called once when the seek ends or takes longer than SeekAnswerMax; nil means none
	search   *search          // search in progress; nil means none
	wake     wakeTimes        // time of the next wake-up for each reason; zero means none
	ctx      context.Context  // context returned by the method Context
	asked    time.Time        // arrival time of the current request or, if there is none, of the most recent one
	base     context.Context  // context passed to Run; unlike ctx, it never carries a turn (the permission to use a processor)
	reading  atomic.Bool      // whether the goroutine started by readAhead is running
	frames   *fairqueue.Queue // provides turns to use a processor during playback at up to steadyRate; nil means no wait
	other    *fairqueue.Queue // provides turns to use a processor for all work except steady playback; nil means no wait
}

// NewRunner returns a runner that has no run yet and reports to listener l. Open must be called before any other
// method that moves the cursor.
func NewRunner(c clock.Clock, l Listener) *Runner {
	return &Runner{
		clock: c, listener: l,
		queue:    newRequestQueue(),
		ended:    make(chan struct{}),
		pace:     pace{rate: defaultRate},
		rate:     newThrottle(),
		reported: Playing{Rate: defaultRate},
		span:     1,
		ctx:      context.Background(),
	}
}

// ShareProcessors makes the runner wait for a turn (the permission to use a processor) before it computes. The
// queue passed as frames provides the turns during playback at no more than steadyRate; the one passed as other
// provides them at all other times. The processor time is charged to the client of the context passed to Run; see
// fairqueue.WithClient. ShareProcessors must be called before Run.
func (r *Runner) ShareProcessors(frames, other *fairqueue.Queue) { r.frames, r.other = frames, other }

// inTurn calls f unless the session has ended. It first waits for a turn (the permission to use a
// processor) from one of the queues that were passed to ShareProcessors. If it cannot get a turn, because
// ctx is done or too much work is waiting, it calls f without one, so that no request is lost. Once ctx is
// done, all computations of f that use Context fail.
func (r *Runner) inTurn(ctx context.Context, f func()) {
	q := r.other
	if r.steady() {
		q = r.frames
	}
	r.ctx = ctx
	defer func() { r.ctx = r.base }()
	if q != nil {
		turn, leave, err := q.Enter(ctx)
		if err == nil {
			defer leave()
		}
		r.ctx = turn
	}
	if r.base.Err() == nil {
		f()
	}
}

// execute executes request q, merged with the requests after it if possible. The computations of these
// requests fail once RequestWaitMax has elapsed since the arrival of q.
func (r *Runner) execute(q waitingRequest) {
	ctx, cancel := context.WithTimeout(r.base, RequestWaitMax-r.clock.Since(q.since))
	defer cancel()
	r.asked = q.since
	r.inTurn(ctx, func() { r.queue.merge(q).Do() })
}

// outOfTime reports whether the current request has failed because RequestWaitMax has elapsed, rather than
// because the session has ended.
func (r *Runner) outOfTime() bool { return r.ctx.Err() != nil && r.base.Err() == nil }

// defaultRate is the initial rate in ticks per second, slow enough to follow single ticks.
const defaultRate = 2

// Run handles requests and plays the run until ctx is done. It must be called at most once.
func (r *Runner) Run(ctx context.Context) {
	defer close(r.ended)
	r.ctx, r.base = ctx, ctx
	timer := r.clock.Timer(time.Hour)
	defer timer.Stop()
	for {
		wait := r.wake.wait(r.clock.Now())
		if wait <= 0 || r.queue.ahead != nil { // work is due: at most one request goes before it
			if ctx.Err() != nil {
				return
			}
			if q, ok := r.queue.poll(); ok {
				r.execute(q)
			}
			if wait <= 0 {
				r.inTurn(ctx, func() { r.woken(r.clock.Now()) })
			}
			continue
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case q := <-r.queue.requests:
			r.execute(q)
		case <-timer.C:
			r.inTurn(ctx, func() { r.woken(r.clock.Now()) })
		}
	}
}

// The methods below must be called on the runner's goroutine: through Submit, or from a method
// of the Listener.

// CurrentRun returns the open run.
func (r *Runner) CurrentRun() *sim.Run { return r.run }

// Position returns the position of the cursor.
func (r *Runner) Position() sim.Position { return r.cursor }

// Playing returns the playback state.
func (r *Runner) Playing() Playing { return Playing{On: r.on, Rate: r.pace.rate, End: r.atEnd()} }

// Remind sets the time after which Listener.OnReminder is called. It replaces the time set by a previous
// call.
func (r *Runner) Remind(after time.Duration) { r.wake.set(wakeReminder, r.clock.Now().Add(after)) }

// Context returns the context for all computations of the session. If ShareProcessors was called, it carries the
// turn to use a processor. It is done when the session ends or, during a request, RequestWaitMax after the
// arrival of the request. It must not be used after the current request or Listener method has returned.
func (r *Runner) Context() context.Context { return r.ctx }

// Now returns the current time of the runner's clock.
func (r *Runner) Now() time.Time { return r.clock.Now() }

// Snapshot returns the state at the cursor. It lists at most limit timers per wheel.Place, or all if limit
// is wheel.AllEntries.
func (r *Runner) Snapshot(limit int) (*engine.Snapshot, error) {
	return r.run.Seek(r.ctx, r.cursor, limit)
}

// Open moves the session to another run, paused at the position to. If that is not computed within OpenWaitMax, Open
// moves the cursor before the first event and starts a seek to it. ctx must be derived from Context and limits the time
// that Open may take. If Open returns an error, the session is unchanged.
func (r *Runner) Open(ctx context.Context, run *sim.Run, to sim.Position) error {
	if until := run.Program().Until; to.Tick > until {
		return pastUntil(to.Tick, until)
	}
	at, err := opening(ctx, run, to)
	if err != nil {
		return err
	}
	snap, cursor, err := snapshotAt(ctx, run, at, r.listener.Detail)
	if err != nil {
		return err
	}
	r.stopSearch()
	r.forget()
	r.run, r.cursor, r.on, r.span = run, cursor, false, 1
	r.wake = wakeTimes{wakeReminder: r.wake[wakeReminder]} // what it is for does not depend on the run
	r.listener.OnOpen(run)
	if at != to {
		r.goal = &goal{to: to}
		r.wake.set(wakeGoal, r.clock.Now())
	}
	r.show(snap)
	r.wake.set(wakeProgress, r.clock.Now())
	return nil
}

// opening returns the position at which run can be opened within OpenWaitMax: to, if it is computed by then, otherwise
// the start.
func opening(ctx context.Context, run *sim.Run, to sim.Position) (sim.Position, error) {
	ctx, cancel := context.WithTimeout(ctx, OpenWaitMax)
	defer cancel()
	err := awaitPosition(ctx, run, to)
	if errors.Is(err, context.DeadlineExceeded) {
		return sim.Start, nil
	}
	return to, err
}

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
