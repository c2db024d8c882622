package sim

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Limits of a store.
const (
	// StoreRunsMax is the maximum number of recently used runs that a store keeps. If there are more, the least
	// recently used run is dropped, unless it has viewers.
	StoreRunsMax  = 64
	StoreBytesMax = 1 << 30          // maximum memory in bytes of the runs without viewers; the most recently used one is always kept
	ChunkBytesMax = 128 << 20        // maximum memory in bytes of the cached chunks of all runs
	StoreShare    = 8                // runs without viewers, and cached chunks, each take at most 1/StoreShare of the store's memory
	PassIdleMax   = 10 * time.Second // time for which the first pass of a run continues without viewers
)

// ErrClosed is returned by Store.Open and Store.Fork after Store.Close has been called, and by methods of a Run whose
// first pass was stopped by Close.
var ErrClosed = errors.New("sim: the store of runs is closed")

// ErrCancelled is returned by methods of a Run whose first pass was cancelled by the user. The run can be viewed up
// to the tick that the first pass had reached.
var ErrCancelled error = texts.Errorf(texts.Invalid, "", "the computation was cancelled; the run can be viewed up to that point. Open the scenario again to compute all of it")

// ErrGone is returned by methods of a Run that the store dropped before the first pass had ended, because the run
// had no viewer or its memory was needed for other work.
var ErrGone error = texts.Errorf(texts.Unavailable, "", "the run is no longer kept, since many others were opened meanwhile; try again")

// Store keeps runs, keyed by program digest, so that all viewers of a program share one run. Retain
// adds a viewer to a run. The store drops the least recently used runs without viewers and stops their
// first passes. It reserves memory for runs before allocating it. Each computation waits in the queue
// of the store for a turn to use a processor. A Store is safe for concurrent use by multiple goroutines.
type Store struct {
	memory *budget.Budget
	queue  *fairqueue.Queue
	chunks *chunkCache
	sizes  Sizes
	admit  func(context.Context, *program.Program) (context.Context, func())
	short  chan struct{} // semaphore that limits the number of requests that wait for memory

	caches reclaimers // functions that release memory held by other packages

	mu       sync.Mutex
	runs     *simplelru.LRU[string, *Run] // recently used runs, keyed by digest
	retained map[*Run]int                 // number of viewers of each run that has any; such a run is never dropped
	bytes    int64                        // maximum memory, in bytes, of the runs without viewers
	ctx      context.Context
	cancel   context.CancelCauseFunc
	passes   sync.WaitGroup // first passes and recordings

	recordings map[string]*recording // programs whose own wheels are running, keyed by digest
}

// queueEntry is the processor time that a new client of the store's queue is deemed to have used. The queue prefers
// clients that have used less time, so a session that plays is not delayed by many requests of new clients.
const queueEntry = 5 * time.Millisecond

// StoreOptions holds the resources that a store uses, and the limits of its runs.
type StoreOptions struct {
	Memory *budget.Budget   // memory that the runs share; nil means a new budget of budget.Default() bytes
	Queue  *fairqueue.Queue // queue of computations; nil means a new one for GOMAXPROCS − 1 concurrent computations
	Sizes  Sizes            // sizes and limits of the runs; fields that are zero have the values in DefaultSizes

	// Admit is called before the first pass of a program enters the queue. It may block, so that a caller can
	// limit the number of passes. The first pass uses the returned context, which must be ctx or derived from it, and
	// the store calls the returned function when the pass has ended. If Admit is nil, all passes are admitted.
	Admit func(ctx context.Context, p *program.Program) (pass context.Context, ended func())
}

// NewStore returns an empty store. The caller must call Close to stop the first passes of the store's runs.
func NewStore(o StoreOptions) *Store {
	if o.Memory == nil {
		o.Memory = budget.New(budget.Default())
	}
	if o.Queue == nil {
		o.Queue = fairqueue.NewWith(fairqueue.Options{Pool: fairqueue.NewPool(runtime.GOMAXPROCS(0)), Turns: runtime.GOMAXPROCS(0) - 1, Entry: queueEntry})
	}
	if o.Admit == nil {
		o.Admit = func(ctx context.Context, _ *program.Program) (context.Context, func()) { return ctx, func() {} }
	}
	o.Sizes.fill()
	o.Memory.KeepSpare(o.Memory.Limit() / spareShare)
	share := o.Memory.Limit() / StoreShare
	s := &Store{memory: o.Memory, queue: o.Queue, retained: map[*Run]int{}, recordings: map[string]*recording{}, short: make(chan struct{}, shortWaitersMax), sizes: o.Sizes, admit: o.Admit,
		bytes: min(StoreBytesMax, share), chunks: newChunkCache(o.Memory, min(o.Sizes.CacheBytes, share))}
	s.runs, _ = simplelru.NewLRU(StoreRunsMax, func(_ string, r *Run) { s.left(r) }) // fails for a size < 1 only
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	for _, r := range []budget.Reclaimer{s.reclaimCaches, s.reclaimCheckpoints, s.reclaimRun} {
		s.memory.AddReclaimer(r)
	}
	return s
}

// Memory returns the budget that the runs share with everything else that reserves memory, such as sessions and caches.
func (s *Store) Memory() *budget.Budget { return s.memory }

// Queue returns the queue in which the store's runs are computed.
func (s *Store) Queue() *fairqueue.Queue { return s.queue }

// Close cancels all first passes and waits until they have returned.
func (s *Store) Close() {
	s.cancel(ErrClosed)
	s.passes.Wait()
}

// Open returns the run of program p. If there is none, it creates one and starts its first pass, whose
// processor time is charged to the client of ctx (see fairqueue.WithClient). A run whose first pass is not
// complete is dropped when it has had no viewer for PassIdleMax, unless Expect has announced a viewer. The error is a
// *program.TooLargeError, a *NoMemoryError, ErrClosed, ErrRecording or an error from the engine.
func (s *Store) Open(ctx context.Context, p *program.Program) (*Run, error) {
	return s.open(ctx, p, nil)
}

// Fork is like Open, for a program p whose scenario is an edited copy of parent's scenario. The new run shares the
// checkpoints of parent that precede the first difference between the two programs.
func (s *Store) Fork(ctx context.Context, parent *Run, p *program.Program) (*Run, error) {
	return s.open(ctx, p, parent)
}

// Lookup returns the run whose hexadecimal digest begins with the given digits, or false if there is none.
// At least DigestShort digits are required.
func (s *Store) Lookup(digest string) (*Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(digest) < DigestShort {
		return nil, false
	}
	for _, key := range s.runs.Keys() {
		if strings.HasPrefix(key, digest) {
			return s.find(key)
		}
	}
	for r := range s.retained {
		if strings.HasPrefix(r.Digest(), digest) && !r.mayRetry() {
			return r, true
		}
	}
	return nil, false
}

// DigestShort is the number of hexadecimal digits to which a run's digest is shortened in messages, and the
// minimum number that Lookup requires.
const DigestShort = 16

func (s *Store) open(ctx context.Context, p *program.Program, parent *Run) (*Run, error) {
	if r, ok := s.known(p); ok {
		return r, nil
	}
	if !engine.RecordsOwn(ctx, p) {
		return s.start(ctx, p, parent)
	}
	k, err := s.record(fairqueue.Client(ctx), p, parent)
	if err != nil {
		return nil, err
	}
	select {
	case <-k.done:
		return k.run, k.err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, ErrRecording
		}
		return nil, context.Cause(ctx)
	}
}

// Limits of programs whose own wheels are running.
const (
	RecordingsMax = 4               // programs at a time
	RecordMax     = 5 * time.Minute // time for one; a source has a shorter limit of its own
)

// ErrRecording is the error of Open if its context ends while the sources of own wheels run. They go on: a later Open of the same
// program waits for them. A page sends its command again when the path of an error is "own".
var ErrRecording error = texts.Errorf(texts.Unavailable, "own", "the wheel in JavaScript is still running; try again in a while")

// recording is a program whose own wheels are running. run and err are set when done is closed.
type recording struct {
	done chan struct{}
	run  *Run
	err  error
}

// record runs the sources of the own wheels of p, which may take longer than a request, and opens the run of p. If that is
// in progress, it returns the same recording.
func (s *Store) record(client string, p *program.Program, parent *Run) (*recording, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	digest := p.Digest()
	switch k := s.recordings[digest]; {
	case k != nil:
		return k, nil
	case s.ctx.Err() != nil:
		return nil, ErrClosed
	case len(s.recordings) >= RecordingsMax:
		return nil, fairqueue.ErrBusy
	}
	k := &recording{done: make(chan struct{})}
	s.recordings[digest] = k
	s.passes.Go(func() {
		ctx, cancel := context.WithTimeout(fairqueue.WithClient(s.ctx, client), RecordMax)
		defer cancel()
		k.run, k.err = s.start(ctx, p, parent)
		s.mu.Lock()
		delete(s.recordings, digest)
		s.mu.Unlock()
		close(k.done)
	})
	return k, nil
}

// start runs the sources of the own wheels of p and adds its run.
func (s *Store) start(ctx context.Context, p *program.Program, parent *Run) (*Run, error) {
	mem, err := s.reserve(ctx, p)
	if err != nil {
		return nil, err
	}
	if err = engine.RecordOwn(ctx, p); err != nil {
		mem.Release()
		return nil, err
	}
	r, err := newRun(p, s)
	if err != nil {
		mem.Release()
		return nil, err
	}
	r.mem = mem
	return s.begin(fairqueue.Client(ctx), r, parent)
}

// reserve reserves memory for program p and its first pass. It returns a *program.TooLargeError if the budget is too
// small for p.Estimate().Bytes, which includes a second engine, for a viewer, and a *NoMemoryError if that much memory
// is not free.
func (s *Store) reserve(ctx context.Context, p *program.Program) (*budget.Reservation, error) {
	e := p.Estimate()
	if e.Bytes > s.memory.Limit() {
		return nil, program.NewTooLargeError(p, s.memory.Limit())
	}
	return s.ReserveWhenFree(ctx, e.Bytes-e.EngineBytes)
}

// known returns the run of program p, or false if there is none.
func (s *Store) known(p *program.Program) (*Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(p.Digest())
}

// find returns the run with the given complete digest, if any, and resumes its first pass. s.mu must be held.
func (s *Store) find(digest string) (*Run, bool) {
	if r, ok := s.runs.Get(digest); ok && !r.mayRetry() {
		return s.wake(r), true
	}
	for r := range s.retained {
		if r.Digest() == digest && !r.mayRetry() {
			return r, true
		}
	}
	return nil, false
}

// begin adds run r and starts its first pass, whose processor time is charged to the given client of the queue. If
// parent is not nil, r shares the first checkpoints of parent. If a run of r's program exists, begin returns that run.
func (s *Store) begin(client string, r, parent *Run) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, ok := s.find(r.Digest()); ok {
		r.mem.Release()
		return other, nil
	}
	if s.ctx.Err() != nil {
		r.mem.Release()
		return nil, ErrClosed
	}
	if parent != nil {
		r.inherit(parent)
	}
	s.runs.Remove(r.Digest()) // a run that failed, if there is one
	s.runs.Add(r.Digest(), r)
	s.trim()
	s.passes.Go(func() { s.pass(client, r) })
	s.idle(r)
	return r, nil
}

// pass performs the first pass of r. Its processor time is charged to the given client of the queue.
func (s *Store) pass(client string, r *Run) {
	admitted, ended := s.admit(fairqueue.WithClient(r.ctx, client), r.prog)
	defer ended()
	ctx, leave, err := s.queue.Enter(admitted)
	if err == nil {
		r.compute(ctx)
	} else {
		r.fail(cmp.Or(context.Cause(admitted), err))
	}
	leave()
	r.passed()
	if r.mayRetry() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if now, _ := s.runs.Peek(r.Digest()); now == r { // its viewers, if any, keep it
			s.runs.Remove(r.Digest())
		}
	}
}

// mayRetry reports whether the first pass ended with an error that a new run of the program may not have. The store
// does not return such a run to new viewers.
func (r *Run) mayRetry() bool {
	err := r.Err()
	return errors.Is(err, fairqueue.ErrBusy) || errors.Is(err, ErrCancelled)
}

// newRun returns a run of p whose first pass has not begun.
func newRun(p *program.Program, s *Store) (*Run, error) {
	e, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	r := &Run{prog: p, store: s, sizes: s.sizes, making: make(chan struct{}, 1), folding: make(chan struct{}, 1), over: make(chan struct{}), reached: -1, news: make(chan struct{}), spacing: s.sizes.CheckpointCost, warm: engine.Pool{Most: s.sizes.WarmBytes}}
	r.ctx, r.end = context.WithCancelCause(s.ctx)
	before := Position{Tick: -1, Whole: true}
	r.borders = []Position{before}
	r.checkpoints = []checkpoint{{Position: before, engine: e, bytes: e.Bytes(), copied: e.Bytes()}}
	r.timeline = NewTimeline(len(p.Scenario.Lanes), p.Until)
	return r, nil
}

// inherit copies to r the checkpoints, borders and timeline of parent that precede the first difference
// between the programs of r and parent.
func (r *Run) inherit(parent *Run) {
	before, ok := sharedUntil(r.prog, parent.prog)
	parent.mu.Lock()
	defer parent.mu.Unlock()
	if !ok || r.timeline.Bucket != parent.timeline.Bucket || parent.isGone() { // if it is gone, its memory is not reserved
		return
	}
	for _, m := range parent.checkpoints[1:] {
		if m.Tick < before {
			m.mem.retain()
			r.checkpoints = append(r.checkpoints, m)
		}
	}
	last := r.checkpoints[len(r.checkpoints)-1]
	for _, b := range parent.borders[1:] {
		if b.Tick <= last.Tick {
			r.borders = append(r.borders, b)
		}
	}
	r.spacing = parent.spacing
	r.reached = last.Tick
	if last.Tick >= 0 {
		r.timeline.inherit(parent.timeline, last.Tick, last.open)
	}
}

// sharedUntil returns a tick before which the runs of programs p and o do not differ. It is the tick of the
// first operation that differs or, if earlier, the last tick of the program that ends first. It returns false if
// the programs have different lanes or start ticks.
func sharedUntil(p, o *program.Program) (int64, bool) {
	same := p.Start == o.Start && slices.EqualFunc(p.Scenario.Lanes, o.Scenario.Lanes, equalLanes)
	n := 0
	for n < len(p.Ops) && n < len(o.Ops) && p.Ops[n] == o.Ops[n] {
		n++
	}
	before := min(p.Until, o.Until)
	for _, ops := range [...][]program.Planned{p.Ops, o.Ops} {
		if n < len(ops) {
			before = min(before, ops[n].At)
		}
	}
	return before, same
}

func equalLanes(l, o scenario.LaneSpec) bool {
	return l.ID == o.ID && l.Algorithm == o.Algorithm && reflect.DeepEqual(l.Params, o.Params)
}
