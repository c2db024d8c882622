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
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Limits of a store.
const (
	StoreRunsMax  = 64               // runs without viewers; beyond it the least recently used is dropped
	StoreBytesMax = 1 << 30          // memory of these runs; the most recently used is always kept
	ChunkBytesMax = 128 << 20        // memory of the cached records of all runs
	StoreShare    = 8                // StoreBytesMax and ChunkBytesMax are at most the store's memory divided by this
	PassIdleMax   = 10 * time.Second // how long a first pass continues without a viewer
)

// ErrClosed is returned if the store is closed.
var ErrClosed = errors.New("sim: the store of runs is closed")

// ErrGone reports that a run was dropped before it was computed: it had no viewer, or
// its memory was needed for other work.
var ErrGone = errors.New("sim: the run is not kept any more")

// Store keeps runs by the digest of their program, so that all viewers of one workload
// share one run. Look adds a viewer to a run. Of the runs without viewers the least
// recently used are dropped, which ends their first passes. All memory of runs is
// reserved before it is allocated, and all computing is done in turns.
type Store struct {
	memory *budget.Budget
	queue  *fairqueue.Queue
	chunks *chunkCache
	sizes  runSizes
	short  chan struct{} // holds an element for each request that waits for memory

	caches reclaimers // caches of other packages

	mu     sync.Mutex
	runs   *simplelru.LRU[string, *Run] // by digest
	looked map[string]*looked           // by digest: these are not dropped, whether in runs or not
	bytes  int64                        // of runs without viewers
	ctx    context.Context
	cancel context.CancelCauseFunc
	passes sync.WaitGroup
}

// queueEntry is charged to a client that is new to the store's queue, such as a request, so
// that a session that plays, which needs little, precedes many of them.
const queueEntry = 5 * time.Millisecond

// StoreOptions are the resources of a store.
type StoreOptions struct {
	Memory *budget.Budget   // nil: half of the memory that the process may use
	Queue  *fairqueue.Queue // nil: one turn fewer than there are processors, at least one
}

// NewStore returns an empty store. Close must be called to end its first passes.
func NewStore(o StoreOptions) *Store {
	if o.Memory == nil {
		o.Memory = budget.New(budget.Default())
	}
	if o.Queue == nil {
		o.Queue = fairqueue.NewWith(fairqueue.Options{Pool: fairqueue.NewPool(runtime.GOMAXPROCS(0)), Turns: runtime.GOMAXPROCS(0) - 1, Entry: queueEntry})
	}
	o.Memory.KeepSpare(o.Memory.Limit() / spareShare)
	share := o.Memory.Limit() / StoreShare
	s := &Store{memory: o.Memory, queue: o.Queue, looked: map[string]*looked{}, short: make(chan struct{}, shortWaitersMax), sizes: defaultSizes,
		bytes: min(StoreBytesMax, share), chunks: newChunkCache(o.Memory, min(ChunkBytesMax, share))}
	s.runs, _ = simplelru.NewLRU(StoreRunsMax, func(_ string, r *Run) { s.left(r) }) // fails for a size < 1 only
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	for _, r := range []budget.Reclaimer{s.chunks.reclaim, s.reclaimWarm, s.reclaimCheckpoints, s.caches.reclaim, s.reclaimRun, s.reclaimSeen} {
		s.memory.AddReclaimer(r)
	}
	return s
}

// Memory returns the memory budget that the store's runs share with others.
func (s *Store) Memory() *budget.Budget { return s.memory }

// Queue returns the queue in which the store's runs are computed.
func (s *Store) Queue() *fairqueue.Queue { return s.queue }

// Close ends all first passes and waits for them.
func (s *Store) Close() {
	s.cancel(ErrClosed)
	s.passes.Wait()
}

// Open returns the run of a program. If there is none, it creates one and starts its first
// pass, which is charged to ctx's client of the queue. The run is dropped if it has no viewer
// for PassIdleMax before it is computed. The error is a *TooLargeError or ErrClosed.
func (s *Store) Open(ctx context.Context, p *program.Program) (*Run, error) {
	return s.open(ctx, p, nil)
}

// Fork returns the run of a program that was edited from parent's program, as Open does. The
// runs share the checkpoints before the first difference.
func (s *Store) Fork(ctx context.Context, parent *Run, p *program.Program) (*Run, error) {
	return s.open(ctx, p, parent)
}

// Lookup returns a run by its digest or by a prefix of it with at least DigestShort digits.
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
	for key, l := range s.looked {
		if strings.HasPrefix(key, digest) {
			return l.run, true
		}
	}
	return nil, false
}

// DigestShort is the number of digits of a run's digest in messages.
const DigestShort = 16

func (s *Store) open(ctx context.Context, p *program.Program, parent *Run) (*Run, error) {
	if r, ok := s.known(p); ok {
		return r, nil
	}
	mem, err := s.reserve(ctx, p)
	if err != nil {
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

// reserve reserves the memory of a program and of its first pass. It fails if the whole budget
// has no room for a second engine, which a viewer of the run needs.
func (s *Store) reserve(ctx context.Context, p *program.Program) (*budget.Reservation, error) {
	e := p.Estimate()
	if e.Bytes > s.memory.Limit() {
		return nil, program.NewTooLargeError(p, s.memory.Limit())
	}
	mem, err := s.ReserveWhenFree(ctx, e.Bytes-e.EngineBytes)
	if full, ok := errors.AsType[*NoMemoryError](err); ok {
		return nil, program.NewTooLargeError(p, full.Available)
	}
	return mem, err
}

// known returns the run of a program, if there is one.
func (s *Store) known(p *program.Program) (*Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(p.Digest())
}

// find returns a run by its whole digest, and wakes it. The caller must hold s.mu.
func (s *Store) find(digest string) (*Run, bool) {
	if r, ok := s.runs.Get(digest); ok {
		return s.wake(r), true
	}
	if l, ok := s.looked[digest]; ok {
		return l.run, true
	}
	return nil, false
}

// begin adds a run to the store and starts its first pass, unless another goroutine has added
// one of the same program.
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
	s.runs.Add(r.Digest(), r)
	s.trim()
	s.passes.Go(func() { s.pass(client, r) })
	s.idle(r)
	return r, nil
}

// pass runs the first pass in turns that are charged to client.
func (s *Store) pass(client string, r *Run) {
	ctx, leave, err := s.queue.Enter(fairqueue.WithClient(r.ctx, client))
	if err == nil {
		r.compute(ctx)
	} else {
		r.fail(cmp.Or(context.Cause(r.ctx), err))
	}
	leave()
	r.passed()
	if errors.Is(r.failed(), fairqueue.ErrBusy) { // a later attempt may succeed
		s.mu.Lock()
		defer s.mu.Unlock()
		s.runs.Remove(r.Digest())
	}
}

// newRun returns a run without any computed tick.
func newRun(p *program.Program, s *Store) (*Run, error) {
	e, err := engine.NewEngine(p)
	if err != nil {
		return nil, err
	}
	r := &Run{Prog: p, store: s, sizes: s.sizes, making: make(chan struct{}, 1), folding: make(chan struct{}, 1), over: make(chan struct{}), reached: -1, news: make(chan struct{}), spacing: s.sizes.checkpointWork}
	r.ctx, r.end = context.WithCancelCause(s.ctx)
	before := border{tick: -1}
	r.borders = []border{before}
	r.checkpoints = []checkpoint{{border: before, engine: e, bytes: e.Bytes()}}
	r.timeline = NewTimeline(len(p.Scenario.Lanes), p.Until)
	return r, nil
}

// inherit copies the checkpoints, borders and timeline of parent before the first difference
// of the two programs.
func (r *Run) inherit(parent *Run) {
	before, ok := sharedUntil(r.Prog, parent.Prog)
	parent.mu.Lock()
	defer parent.mu.Unlock()
	if !ok || r.timeline.Bucket != parent.timeline.Bucket {
		return
	}
	for _, m := range parent.checkpoints[1:] {
		if m.tick < before {
			m.mem.retain()
			r.checkpoints = append(r.checkpoints, m)
		}
	}
	last := r.checkpoints[len(r.checkpoints)-1]
	for _, b := range parent.borders[1:] {
		if b.tick <= last.tick {
			r.borders = append(r.borders, b)
		}
	}
	r.spacing = parent.spacing
	r.reached = last.tick
	if last.tick >= 0 {
		r.timeline.inherit(parent.timeline, last.tick, last.open)
	}
}

// sharedUntil returns the tick of the first operation in which two programs differ, up to which
// their runs are equal, and whether their lanes and starts are equal.
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
