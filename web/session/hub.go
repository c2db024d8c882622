package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"

	"github.com/benbjohnson/clock"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Options configures a hub and its sessions.
type Options struct {
	Clock    clock.Clock      // clock of the sessions
	Library  *Library         // scenarios that commands can name
	Log      Logger           // log of internal errors
	Frames   *fairqueue.Queue // queue in which sessions that play at up to 240 ticks a second wait for their turn to use a processor; nil means that they do not wait
	Commands *fairqueue.Queue // queue in which sessions wait for their turn to use a processor for work that Frames does not cover; nil means that they do not wait
}

// Logger logs internal errors. args are alternating keys and values. *slog.Logger implements Logger.
type Logger interface {
	Warn(message string, args ...any)
	Error(message string, args ...any)
}

// Hub holds the open sessions. It is safe for concurrent use.
type Hub struct {
	Options

	mu       sync.Mutex
	sessions map[string]*Session                 // open sessions, keyed by ID
	kept     *simplelru.LRU[string, keptSession] // sessions that have ended for lack of viewers but can be opened again, keyed by ID
	closing  bool
	running  sync.WaitGroup // counts the goroutines of the sessions' runners
}

// NewHub returns a hub without sessions.
func NewHub(o Options) *Hub {
	kept, _ := simplelru.NewLRU[string, keptSession](SessionsKeptMax, nil) // fails for a size < 1 only
	return &Hub{Options: o, sessions: map[string]*Session{}, kept: kept}
}

// Open starts a session on run with its cursor at position at. The session ends when its last viewer leaves. If
// no viewer joins, the caller must call Session.Abandon. Open returns an error of kind texts.Unavailable if no more sessions can be
// opened.
func (h *Hub) Open(run *sim.Run, at sim.Position) (*Session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.start(run, keptSession{id: newSessionID(), secret: newSecret(), at: at, rate: -1})
}

// start opens a session on run with the ID, secret, position and playback rate in kept. It returns an error of kind texts.Unavailable if no
// more sessions can be opened. h.mu must be held.
func (h *Hub) start(run *sim.Run, kept keptSession) (*Session, error) {
	if err := h.busy(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(fairqueue.WithClient(context.Background(), kept.id))
	s := &Session{id: kept.id, secret: kept.secret, hub: h, library: h.Library, log: h.Log, ctx: ctx, stop: stop}
	s.runner = cursor.NewRunner(h.Clock, s)
	s.runner.ShareProcessors(h.Frames, h.Commands)
	h.sessions[s.id] = s
	h.running.Go(func() {
		s.runner.Run(ctx)
		s.mem.Release()
		h.remove(s)
	})
	// The channel is empty, so this does not wait.
	s.Do(func() { s.begin(run, kept) })
	return s, nil
}

// Full returns an error of kind texts.Unavailable if no more sessions can be opened, and nil otherwise.
func (h *Hub) Full() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.busy()
}

// busy is like Full, but h.mu must be held.
func (h *Hub) busy() error {
	switch {
	case h.closing:
		return texts.Errorf(texts.Unavailable, "", "the server is shutting down")
	case len(h.sessions) >= protocol.SessionsMax:
		return texts.Errorf(texts.Unavailable, "", "the limit of %d sessions is reached", protocol.SessionsMax)
	}
	return nil
}

// Find returns the open session with the given ID, and reports whether there is one.
func (h *Hub) Find(id string) (*Session, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[id]
	return s, ok
}

// remove removes s, whose runner has ended, from the open sessions. It does nothing if keep has already removed s,
// because another session with the same ID may be open by now.
func (h *Hub) remove(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[s.id] == s { // else it was kept, and may be open again
		delete(h.sessions, s.id)
	}
}

// Close makes the hub reject new sessions, and drops the sessions that it keeps without viewers. Open sessions
// continue.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
	h.kept.Purge()
}

// End ends all sessions and cancels their computations. It does not wait for them to end.
func (h *Hub) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.end()
	}
}

// Wait waits until all sessions have ended.
func (h *Hub) Wait() { h.running.Wait() }

// Counts returns the number of open sessions and the number of sessions that are kept without viewers.
func (h *Hub) Counts() (open, kept int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sessions), h.kept.Len()
}

// newSessionID returns a random 96-bit ID in hexadecimal.
func newSessionID() string {
	var b [12]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
