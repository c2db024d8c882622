package api

import (
	"context"
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/session"
)

// Answers answers questions about runs. It caches answers that are slow to compute. Its methods may be called
// concurrently.
type Answers struct {
	library *session.Library
	pool    *computePool
	charts  *cache[*compare.Chart]
	digests *cache[tracefile.Summary]

	choosings *recent[choosing]
	contests  *recent[contest]
}

// NewAnswers returns an Answers for the scenarios of library and the runs in its store. The caller must call
// Shutdown when it no longer needs the Answers.
func NewAnswers(library *session.Library) *Answers {
	m := newComputePool(library.Store)
	return &Answers{library: library, pool: m, choosings: newRecent[choosing](choosingsMax), contests: newRecent[contest](contestsMax), charts: newCache(m, ComparisonsMax, (*compare.Chart).Bytes),
		digests: newCache(m, sim.StoreRunsMax, tracefile.Summary.MemoryBytes)}
}

// Stop cancels all computations. It does not wait for them to end.
func (a *Answers) Stop() { a.pool.stop() }

// Shutdown cancels all computations and waits until they have ended or ctx is done.
func (a *Answers) Shutdown(ctx context.Context) { a.pool.shutdown(ctx) }

// Run returns the run whose digest begins with digest, which must have at least sim.DigestShort digits. param
// is the name of the query parameter that contained the digest; errors mention it.
func (a *Answers) Run(param, digest string) (*sim.Run, error) {
	digest = strings.ToLower(digest)
	run, ok := a.library.Store.Lookup(digest)
	if !ok {
		return nil, texts.Errorf(texts.NotFound, "", "%s: %q is not a run of this server; expected %d or more digits of a run that was opened recently", param, texts.Clip(digest), sim.DigestShort)
	}
	return run, nil
}

// Work reserves the given number of bytes of memory for an answer, and waits for a turn, that is, for permission to
// use a processor. It returns a context that carries the turn. The caller must call done to end the turn and release
// the memory. Further calls to done have no effect.
func (a *Answers) Work(ctx context.Context, bytes int64) (turn context.Context, done func(), err error) {
	mem, err := a.library.Store.ReserveWhenFree(ctx, bytes)
	if err != nil {
		return ctx, func() {}, err
	}
	turn, leave, err := a.library.Store.Queue().Enter(ctx)
	if err != nil {
		mem.Release()
		return ctx, func() {}, err
	}
	return turn, sync.OnceFunc(func() {
		leave()
		mem.Release()
	}), nil
}

// answerBytes is the number of bytes of memory reserved for an answer. It does not include the memory of the engines
// that simulate runs for the answer.
const answerBytes = 4 << 20

// EngineBytes returns the number of bytes of memory to reserve for an answer that needs one engine to simulate
// p.
func EngineBytes(p *program.Program) int64 { return answerBytes + p.Estimate().EngineBytes }
