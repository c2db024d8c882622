package sim

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Limits of a store.
const (
	StoreRunsMax  = 64        // runs at which nobody looks; the least recently used goes first
	StoreBytesMax = 1 << 30   // bytes of these runs; the newest stays
	ComputingMax  = 2         // first passes at a time
	ChunkBytesMax = 128 << 20 // of records kept for all runs
)

// ErrClosed says that the store is shut.
var ErrClosed = errors.New("sim: the store of runs is closed")

// ErrGone says that a run was let go before it was computed: others came, and
// nobody looked at it.
var ErrGone = errors.New("sim: the run is not kept any more")

// Store keeps runs by the digest of their program, so that all who look at one
// workload share one run. Those who look say so by Look; of the others the least
// recently used go, and what is computed of them ends.
type Store struct {
	mu     sync.Mutex
	runs   *simplelru.LRU[string, *Run] // by digest
	looked map[string]*looked           // by digest: these stay, in runs or not
	chunks *chunkCache
	sizes  runSizes
	bytes  int64         // of runs at which nobody looks
	turns  chan struct{} // a token for each first pass
	ctx    context.Context
	cancel context.CancelFunc
	passes sync.WaitGroup
}

// NewStore makes an empty store. Close ends what it computes.
func NewStore() *Store {
	s := &Store{looked: map[string]*looked{}, sizes: defaultSizes, bytes: StoreBytesMax, chunks: newChunkCache(ChunkBytesMax), turns: make(chan struct{}, ComputingMax)}
	s.runs, _ = simplelru.NewLRU(StoreRunsMax, func(_ string, r *Run) { s.left(r) }) // fails for a size < 1 only
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Close ends the first passes under way and waits for them.
func (s *Store) Close() {
	s.cancel()
	s.passes.Wait()
}

// Open gives the run of a program, made and begun if it is not there.
func (s *Store) Open(p *Program) (*Run, error) { return s.open(p, nil) }

// Fork gives the run of a program that was edited from parent's: the checkpoints
// before the first difference are shared.
func (s *Store) Fork(parent *Run, p *Program) (*Run, error) { return s.open(p, parent) }

// Lookup finds a run by its digest or the first digits of it (at least
// DigestShort).
func (s *Store) Lookup(digest string) (*Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(digest) < DigestShort {
		return nil, false
	}
	for _, key := range s.runs.Keys() {
		if strings.HasPrefix(key, digest) {
			return s.runs.Get(key)
		}
	}
	for key, l := range s.looked {
		if strings.HasPrefix(key, digest) {
			return l.run, true
		}
	}
	return nil, false
}

// DigestShort is how many digits of a run's digest name it in messages.
const DigestShort = 16

func (s *Store) open(p *Program, parent *Run) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.runs.Get(p.Digest()); ok {
		return r, nil
	}
	if l, ok := s.looked[p.Digest()]; ok {
		return l.run, nil
	}
	if s.ctx.Err() != nil {
		return nil, ErrClosed
	}
	r, err := newRun(p, s)
	if err != nil {
		return nil, err
	}
	if parent != nil {
		r.inherit(parent)
	}
	s.runs.Add(p.Digest(), r)
	s.trim()
	s.passes.Go(func() { s.pass(r) })
	return r, nil
}

// pass runs a first pass when it is its turn, unless the run goes before.
func (s *Store) pass(r *Run) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-r.gone:
	case <-s.ctx.Done():
	}
	r.compute(func() error {
		switch {
		case s.ctx.Err() != nil:
			return ErrClosed
		case r.isGone():
			return ErrGone
		}
		return nil
	})
}

// newRun makes a run that has not computed anything.
func newRun(p *Program, s *Store) (*Run, error) {
	e, err := NewEngine(p)
	if err != nil {
		return nil, err
	}
	r := &Run{prog: p, sizes: s.sizes, chunks: s.chunks, gone: make(chan struct{}), making: make(chan struct{}, 1), reached: -1, news: make(chan struct{}), spacing: s.sizes.checkpointWork}
	before := border{tick: -1}
	r.borders = []border{before}
	r.checkpoints = []checkpoint{{border: before, engine: e, bytes: e.bytes()}}
	r.timeline = newTimeline(len(p.Scenario.Lanes), p.Until)
	return r, nil
}

// inherit takes over from parent what lies before the first difference of the
// two programs: checkpoints, borders and timeline.
func (r *Run) inherit(parent *Run) {
	before, ok := r.prog.sharedWith(parent.prog)
	parent.mu.Lock()
	defer parent.mu.Unlock()
	if !ok || r.timeline.Bucket != parent.timeline.Bucket {
		return
	}
	for _, m := range parent.checkpoints[1:] {
		if m.tick < before {
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

// sharedWith gives the tick of the first operation in which two programs differ;
// false where the lanes differ. Up to the tick before, they run alike.
func (p *Program) sharedWith(o *Program) (int64, bool) {
	same := p.Start == o.Start && slices.EqualFunc(p.Scenario.Lanes, o.Scenario.Lanes, LaneSpec.equal)
	n := 0
	for n < len(p.Ops) && n < len(o.Ops) && p.Ops[n] == o.Ops[n] {
		n++
	}
	before := min(p.Until, o.Until)
	for _, ops := range [...][]Planned{p.Ops, o.Ops} {
		if n < len(ops) {
			before = min(before, ops[n].At)
		}
	}
	return before, same
}

func (l LaneSpec) equal(o LaneSpec) bool {
	return l.ID == o.ID && l.Algorithm == o.Algorithm && reflect.DeepEqual(l.Params, o.Params)
}
