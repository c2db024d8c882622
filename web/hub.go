package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"sync"

	"github.com/benbjohnson/clock"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/locate"
)

// hubOptions are what the sessions of a hub use.
type hubOptions struct {
	Clock    clock.Clock // paces the sessions
	Library  *locate.Library
	Log      *slog.Logger
	Frames   *fairqueue.Queue // for sessions that play at a steady pace
	Commands *fairqueue.Queue // for everything else that sessions do
}

// hub holds the open sessions. It is safe for concurrent use.
type hub struct {
	hubOptions

	mu       sync.Mutex
	sessions map[string]*session
	kept     *simplelru.LRU[string, keptSession] // by id: sessions without sockets
	closing  bool
	running  sync.WaitGroup // the sessions' runners
}

// newHub returns a hub without sessions.
func newHub(o hubOptions) *hub {
	kept, _ := simplelru.NewLRU[string, keptSession](SessionsKeptMax, nil) // fails for a size < 1 only
	return &hub{hubOptions: o, sessions: map[string]*session{}, kept: kept}
}

// errBusy is returned if a limit of the hub is reached, or it is closing.
type errBusy struct{ said say.Message }

func (e errBusy) Error() string { return e.said.String() }

// open starts a session on a run with the cursor at a position. It ends when its last socket
// leaves; the caller must close one that no socket joins.
func (h *hub) open(run *sim.Run, at locate.Position) (*session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.start(run, keptSession{id: newSessionID(), secret: newSecret(), at: at, rate: -1})
}

// start is open for a new or a kept session. The caller holds h.mu.
func (h *hub) start(run *sim.Run, as keptSession) (*session, error) {
	if err := h.busy(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(fairqueue.WithClient(context.Background(), as.id))
	s := &session{id: as.id, secret: as.secret, hub: h, books: h.Library, log: h.Log, ctx: ctx, stop: stop}
	s.runner = sim.NewRunner(h.Clock, s)
	s.runner.ShareProcessors(h.Frames, h.Commands)
	h.sessions[s.id] = s
	h.running.Go(func() {
		s.runner.Run(ctx)
		s.mem.Release()
		h.remove(s)
	})
	// The channel is empty, so this does not wait.
	s.do(func() { s.begin(run, as) })
	return s, nil
}

// full returns the reason why no session can be opened, or nil.
func (h *hub) full() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.busy()
}

// busy is full for callers that hold h.mu.
func (h *hub) busy() error {
	switch {
	case h.closing:
		return errBusy{say.Of("the server is shutting down")}
	case len(h.sessions) >= SessionsMax:
		return errBusy{say.Of("there are %d sessions, no more are admitted", SessionsMax)}
	}
	return nil
}

// find returns the session with an id.
func (h *hub) find(id string) (*session, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[id]
	return s, ok
}

func (h *hub) remove(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[s.id] == s { // else it was kept, and may be open again
		delete(h.sessions, s.id)
	}
}

// Close makes the hub reject new sessions, and drops the kept ones.
func (h *hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
	h.kept.Purge()
}

// End ends all sessions, which cancels their computations, without waiting for them.
func (h *hub) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.end()
	}
}

// Wait waits until all sessions have ended.
func (h *hub) Wait() { h.running.Wait() }

// Counts returns the number of open sessions, and of those without viewers that are kept.
func (h *hub) Counts() (open, kept int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sessions), h.kept.Len()
}

// newSessionID returns an unguessable id: 96 random bits in hexadecimal.
func newSessionID() string {
	var b [12]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
