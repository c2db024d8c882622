package sim

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
)

// Bounds of a session's runner.
const (
	CommandsWaitingMax = 64                     // commands of a session that wait for their turn
	FrameInterval      = time.Second / 60       // least time between two frames; up to StrideMax times that under load
	FrameWorkMax       = 12 * time.Millisecond  // time a frame may spend on computing what it shows
	FramePiecesMax     = 256                    // stretches a frame may be made of
	StretchRecordsMax  = 1 << 16                // records of one stretch
	RestDelay          = 150 * time.Millisecond // standing still so long is rest
	ProgressInterval   = 250 * time.Millisecond // least time between two reports of how far a run is computed
	GoalInterval       = 20 * time.Millisecond  // between two looks at whether what is sought is computed
	StepWaitMax        = time.Second            // for what a step goes to, to be computed
	OpenWaitMax        = 2 * time.Second        // for a run to be computed up to where it is opened
	RequestWaitMax     = 7 * time.Second        // from the arrival of a request to the end of its wait for a turn, and of what it computes
	SeekAnswerMax      = 8 * time.Second        // after which a seek to what is still being computed is answered
)

// ErrRunnerEnded says that a session is over and takes no more commands.
var ErrRunnerEnded = errors.New("sim: the session has ended")

// Audience is told what a Runner does. Its methods are called on the runner's
// goroutine, one at a time, and must not block: a slow listener is the
// audience's own business.
type Audience interface {
	// Opened tells of another run. Stood follows.
	Opened(*Run)
	// Stood gives the whole state where the cursor stands now.
	Stood(*Snapshot)
	// Moved gives what happened while the cursor went forward. A frame is one or
	// more stretches, then Framed. The stretch may be kept but not written to.
	Moved(*Stretch)
	// Framed says that what Moved or Stood passed is to be shown now. The result says
	// whether that is too early for the viewers: they have not taken the frame before.
	Framed() (late bool)
	// Reminded follows the time that Remind was given.
	Reminded()
	// Rested says that the cursor has stood still for RestDelay and goes nowhere.
	Rested()
	// Played says that playing, rate or end changed.
	Played(Playing)
	// Progressed says that the run's first pass came further or is done.
	Progressed()
	// Searched tells how a search stands that Find began.
	Searched(Search)
	// Failed tells an error that answers no command; playing has stopped.
	Failed(error)
	// Detail says how many timers of each place the next Stood should list
	// (wheel.AllEntries: all).
	Detail() int
}

// Playing is how a cursor moves by itself.
type Playing struct {
	On   bool
	Rate float64 // base ticks a second, 0: as fast as it goes
	End  bool    // the cursor stands after everything at until
}

// Cursor is a place in a run.
type Cursor struct {
	Tick  int64
	Seq   int64 // the last event applied, 0: none yet
	Whole bool  // everything at Tick has happened
}

// Runner moves the cursor of one session along a run, in steps, by seeking, or
// by itself at a rate. It holds the only clock of this package. One goroutine
// is in Run; everything else, commands too, is done there through Submit, so a
// session needs no lock.
type Runner struct {
	clock    clock.Clock
	audience Audience
	queue    requestQueue
	ended    chan struct{}

	run     *Run
	cursor  Cursor
	pace    pace
	rate    throttle
	told    Playing
	on      bool
	short   shortage    // of frames
	span    int64       // ticks that a stretch was last seen to hold
	goal    *goal       // sought, but not computed yet
	arrived func(error) // waits for goal to be reached
	search  *search     // under way
	wake    wakeTimes   // when to look again
	ctx     context.Context
	asked   time.Time        // arrival of the request that is, or was last, carried out
	base    context.Context  // of Run, without a turn
	reading atomic.Bool      // readAhead is under way
	frames  *fairqueue.Queue // of turns while it plays at a steady pace; nil: it works without
	other   *fairqueue.Queue // of turns otherwise
}

// NewRunner makes a runner on no run yet: Open comes before any other command.
func NewRunner(c clock.Clock, a Audience) *Runner {
	return &Runner{
		clock: c, audience: a,
		queue: newRequestQueue(),
		ended: make(chan struct{}),
		pace:  pace{rate: defaultRate},
		rate:  newThrottle(),
		told:  Playing{Rate: defaultRate},
		span:  1,
		ctx:   context.Background(),
	}
}

// ShareProcessors has all work of the runner done in turns, which are charged to the client of the
// context that Run is given: turns of frames while it plays at a steady pace, of other
// otherwise. It is called before Run.
func (r *Runner) ShareProcessors(frames, other *fairqueue.Queue) { r.frames, r.other = frames, other }

// inTurn calls f in a turn, on the runner's goroutine, unless the session ends before. If ctx ends before there is a
// turn, or if too many wait, f is called without one: a request must not be lost. After the end of ctx all
// that f computes under Context fails at once.
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

// carryOut does a request, and those that are merged with it, by RequestWaitMax after it arrived.
func (r *Runner) carryOut(q waitingRequest) {
	ctx, cancel := context.WithTimeout(r.base, RequestWaitMax-r.clock.Since(q.since))
	defer cancel()
	r.asked = q.since
	r.inTurn(ctx, func() { r.queue.merge(q).Do() })
}

// outOfTime reports whether the time of the request that is being carried out is over.
func (r *Runner) outOfTime() bool { return r.ctx.Err() != nil && r.base.Err() == nil }

// defaultRate lets a newcomer follow single ticks.
const defaultRate = 2

// Run moves the cursor until ctx is done. It is called once.
func (r *Runner) Run(ctx context.Context) {
	defer close(r.ended)
	r.ctx, r.base = ctx, ctx
	timer := r.clock.Timer(time.Hour)
	defer timer.Stop()
	for {
		wait := r.wake.wait(r.clock.Now())
		if wait <= 0 || r.queue.ahead != nil { // something to do already: one request may go before what is late, no more
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

// The methods below are called on the runner's goroutine only: through Submit, or
// from the audience's.

// Opened is the run that the cursor is on.
func (r *Runner) Opened() *Run { return r.run }

// Cursor is where the session stands.
func (r *Runner) Cursor() Cursor { return r.cursor }

// Playing says how the cursor moves by itself.
func (r *Runner) Playing() Playing { return Playing{On: r.on, Rate: r.pace.rate, End: r.atEnd()} }

// Remind has Reminded called after a time, in place of any that was set before.
func (r *Runner) Remind(after time.Duration) { r.wake.set(wakeReminder, r.clock.Now().Add(after)) }

// Context ends with the session, and while a request is carried out RequestWaitMax after that arrived. It carries the
// runner's turn: what is computed for the session is computed under it. It is valid until the method or
// request returns that asks for it.
func (r *Runner) Context() context.Context { return r.ctx }

// Now is the time by the runner's clock.
func (r *Runner) Now() time.Time { return r.clock.Now() }

// Snapshot computes the state at the cursor, with the first `most` timers of each
// place.
func (r *Runner) Snapshot(most int) (*Snapshot, error) {
	if r.cursor.Whole && r.cursor != (Cursor{Whole: true}) { // a silent tick 0 changes nothing, and is perhaps not computed
		return r.run.Seek(r.ctx, r.cursor.Tick, most)
	}
	return r.run.SeekSeq(r.ctx, r.cursor.Seq, most)
}

// Open puts the session on another run, paused, after everything at tick, or
// before anything where tick is negative. A tick that is not computed in
// OpenWaitMax is sought from before anything. All that is computed before the run is
// shown, and every wait for a turn until then, ends with ctx, which is derived from Context.
// After an error the session is as it was.
func (r *Runner) Open(ctx context.Context, run *Run, tick int64) error {
	if until := run.Program().Until; tick > until {
		return pastUntil(tick, until)
	}
	at, err := opening(ctx, run, tick)
	if err != nil {
		return err
	}
	snap, err := run.snapshotAt(ctx, at, r.audience.Detail())
	if err != nil {
		return err
	}
	cursor, err := run.cursorAt(ctx, snap, at.tick >= 0)
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

// opening is where a run can be opened within OpenWaitMax: at tick, or before
// anything.
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
