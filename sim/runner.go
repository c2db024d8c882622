package sim

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim/engine"
)

// Limits and intervals of a session's Runner.
const (
	CommandsWaitingMax = 64                     // requests of a session that wait
	FrameInterval      = time.Second / 60       // least time between two frames; up to StrideMax times that under load
	FrameWorkMax       = 12 * time.Millisecond  // time that a frame may take to compute its events
	FramePiecesMax     = 256                    // stretches of a frame
	StretchRecordsMax  = 1 << 16                // records of a stretch
	RestDelay          = 150 * time.Millisecond // time without movement after which Rested is called
	ProgressInterval   = 250 * time.Millisecond // least time between two calls of Progressed
	GoalInterval       = 20 * time.Millisecond  // between two checks whether a seek's destination is computed
	StepWaitMax        = time.Second            // for the destination of a step to be computed
	OpenWaitMax        = 2 * time.Second        // for the tick at which a run is opened to be computed
	RequestWaitMax     = 7 * time.Second        // from the arrival of a request until its wait for a turn, and what it computes, fail
	SeekAnswerMax      = 8 * time.Second        // after which a seek whose destination is still being computed is answered
)

// ErrRunnerEnded is returned if the session has ended and accepts no more requests.
var ErrRunnerEnded = errors.New("sim: the session has ended")

// Audience receives what a Runner does. Its methods are called on the runner's goroutine, one
// at a time, and must not block.
type Audience interface {
	// Opened reports that the session is on another run. Stood follows.
	Opened(*Run)
	// Stood reports the whole state at the cursor.
	Stood(*engine.Snapshot)
	// Moved reports the events between the cursor's last position and its current one. A frame
	// is one or more calls of Moved, then Framed. The Stretch may be kept, but not changed.
	Moved(*Stretch)
	// Framed ends a frame: what Moved or Stood reported is to be shown now. It returns true if
	// the viewers have not yet received the previous frame.
	Framed() (late bool)
	// Reminded is called at the time that was set with Remind.
	Reminded()
	// Rested is called when the cursor has not moved for RestDelay and does not play or seek.
	Rested()
	// Played reports a change of Playing.
	Played(Playing)
	// Progressed reports that the run's first pass may have advanced or ended.
	Progressed()
	// Searched reports the state of a search that Find began.
	Searched(Search)
	// Failed reports an error that is no response to a request. Playing has stopped.
	Failed(error)
	// Detail returns how many timers of each place the next Stood should list,
	// wheel.AllEntries for all.
	Detail() int
}

// Playing is the playback state of a Runner.
type Playing struct {
	On   bool
	Rate float64 // base ticks per second; 0: as fast as possible
	End  bool    // the cursor is at the end of the scenario
}

// Cursor is a position in a run.
type Cursor struct {
	Tick  int64
	Seq   int64 // the last event applied; 0: none yet
	Whole bool  // every event at Tick is applied
}

// Runner moves the cursor of one session along a run: in steps, by seeking, or by playing at a
// rate by the clock given to NewRunner. Everything, including requests through Submit, is done
// on the goroutine that calls Run, so a session needs no lock.
type Runner struct {
	clock    clock.Clock
	audience Audience
	queue    requestQueue
	ended    chan struct{}

	run      *Run
	cursor   Cursor
	pace     pace
	rate     throttle
	reported Playing
	on       bool
	short    shortage    // of memory, for frames
	span     int64       // ticks that are expected to fit into one stretch
	goal     *goal       // destination of a seek that is not computed yet, or nil
	arrived  func(error) // called when the seek ends
	search   *search     // in progress, or nil
	wake     wakeTimes   // by reason
	ctx      context.Context
	asked    time.Time        // arrival of the current or last request
	base     context.Context  // the context of Run, without a turn
	reading  atomic.Bool      // readAhead is in progress
	frames   *fairqueue.Queue // of turns while it plays at a steady pace; nil: it needs no turns
	other    *fairqueue.Queue // of turns otherwise
}

// NewRunner returns a runner without a run. Open must come before any other command.
func NewRunner(c clock.Clock, a Audience) *Runner {
	return &Runner{
		clock: c, audience: a,
		queue:    newRequestQueue(),
		ended:    make(chan struct{}),
		pace:     pace{rate: defaultRate},
		rate:     newThrottle(),
		reported: Playing{Rate: defaultRate},
		span:     1,
		ctx:      context.Background(),
	}
}

// ShareProcessors makes the runner do all work in turns, which are charged to the client of
// the context given to Run: in turns of frames while it plays at a steady pace, otherwise in
// turns of other. It must be called before Run.
func (r *Runner) ShareProcessors(frames, other *fairqueue.Queue) { r.frames, r.other = frames, other }

// inTurn calls f in a turn on the runner's goroutine, unless the session ends first. If ctx
// ends before the turn comes, or too many wait, f is called without one, so that no request is
// lost. After the end of ctx everything that f computes under Context fails.
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

// carryOut does a request and those merged with it, until RequestWaitMax after its arrival.
func (r *Runner) carryOut(q waitingRequest) {
	ctx, cancel := context.WithTimeout(r.base, RequestWaitMax-r.clock.Since(q.since))
	defer cancel()
	r.asked = q.since
	r.inTurn(ctx, func() { r.queue.merge(q).Do() })
}

// outOfTime reports whether the time limit of the current request has passed.
func (r *Runner) outOfTime() bool { return r.ctx.Err() != nil && r.base.Err() == nil }

// defaultRate is the initial rate, slow enough to follow single ticks.
const defaultRate = 2

// Run moves the cursor until ctx is done. It is called once.
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
				r.carryOut(q)
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
			r.carryOut(q)
		case <-timer.C:
			r.inTurn(ctx, func() { r.woken(r.clock.Now()) })
		}
	}
}

// The methods below must be called on the runner's goroutine: through Submit, or from a method
// of the Audience.

// Opened returns the run that the cursor is on.
func (r *Runner) Opened() *Run { return r.run }

// Cursor returns the position of the session.
func (r *Runner) Cursor() Cursor { return r.cursor }

// Playing returns the playback state.
func (r *Runner) Playing() Playing { return Playing{On: r.on, Rate: r.pace.rate, End: r.atEnd()} }

// Remind sets the time at which Reminded is called. It replaces any time set before.
func (r *Runner) Remind(after time.Duration) { r.wake.set(wakeReminder, r.clock.Now().Add(after)) }

// Context returns a context that carries the runner's turn, for everything that is computed
// for the session. It ends with the session and, during a request, RequestWaitMax after the
// request's arrival. It is valid until the current method or request returns.
func (r *Runner) Context() context.Context { return r.ctx }

// Now returns the time by the runner's clock.
func (r *Runner) Now() time.Time { return r.clock.Now() }

// Snapshot returns the state at the cursor, with at most `most` timers of each place.
func (r *Runner) Snapshot(most int) (*engine.Snapshot, error) {
	if r.cursor.Whole && r.cursor != (Cursor{Whole: true}) { // at a silent tick 0 both states are the same, and the tick may not be computed
		return r.run.Seek(r.ctx, r.cursor.Tick, most)
	}
	return r.run.SeekSeq(r.ctx, r.cursor.Seq, most)
}

// Open moves the session to another run, paused, at the end of tick, or before the first event
// if tick is negative. If tick is not computed within OpenWaitMax, the run is opened before
// the first event and the cursor seeks to tick. All work until the run is shown ends with ctx,
// which must be derived from Context. After an error the session is unchanged.
func (r *Runner) Open(ctx context.Context, run *Run, tick int64) error {
	if until := run.Program().Until; tick > until {
		return pastUntil(tick, until)
	}
	at, err := opening(ctx, run, tick)
	if err != nil {
		return err
	}
	snap, err := snapshotAt(ctx, run, at, r.audience.Detail())
	if err != nil {
		return err
	}
	cursor, err := cursorAt(ctx, run, snap, at.tick >= 0)
	if err != nil {
		return err
	}
	r.stopSearch()
	r.forget()
	r.run, r.cursor, r.on, r.span = run, cursor, false, 1
	r.wake = wakeTimes{}
	r.audience.Opened(run)
	if at.tick != tick {
		r.goal = &goal{tick: tick}
		r.wake.set(wakeGoal, r.clock.Now())
	}
	r.show(snap)
	r.wake.set(wakeProgress, r.clock.Now())
	return nil
}

// opening returns where a run can be opened within OpenWaitMax: at tick, or before the first
// event.
func opening(ctx context.Context, run *Run, tick int64) (goal, error) {
	if tick < 0 {
		return goal{tick: -1}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, OpenWaitMax)
	defer cancel()
	err := run.Wait(ctx, tick)
	if errors.Is(err, context.DeadlineExceeded) {
		return goal{tick: -1}, nil
	}
	return goal{tick: tick}, err
}
