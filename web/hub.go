package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"sync"

	"github.com/benbjohnson/clock"
	"github.com/gorilla/websocket"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/locate"
)

// hub holds the open sessions and sockets. It is safe for concurrent use.
type hub struct {
	clock clock.Clock
	books *locate.Library
	log   *slog.Logger

	frames   *fairqueue.Queue // for sessions that play at a steady pace
	commands *fairqueue.Queue // for everything else that sessions do

	mu       sync.Mutex
	sessions map[string]*session
	kept     *simplelru.LRU[string, keptSession] // by id: sessions without sockets
	sockets  map[*socket]string                  // maps to the id of its session
	closing  bool
	running  sync.WaitGroup // sessions' runners and sockets' requests
}

func newHub(c clock.Clock, books *locate.Library, log *slog.Logger) *hub {
	kept, _ := simplelru.NewLRU[string, keptSession](SessionsKeptMax, nil) // fails for a size < 1 only
	return &hub{clock: c, books: books, log: log, frames: briefQueue(books.Store, framesShare), commands: briefQueue(books.Store, 1),
		sessions: map[string]*session{}, kept: kept, sockets: map[*socket]string{}}
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
	s := &session{id: as.id, secret: as.secret, hub: h, books: h.books, log: h.log, ctx: ctx, stop: stop}
	s.runner = sim.NewRunner(h.clock, s)
	s.runner.ShareProcessors(h.frames, h.commands)
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

// enter registers a socket. If it succeeds, the caller must call exit later.
func (h *hub) enter(k *socket) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return errBusy{say.Of("the server is shutting down")}
	}
	h.sockets[k] = k.session.id
	h.running.Add(1)
	return nil
}

// exit unregisters a socket.
func (h *hub) exit(k *socket) {
	h.mu.Lock()
	delete(h.sockets, k)
	h.mu.Unlock()
	h.running.Done()
}

// shutdown closes every socket with 1001 (going away) and ends the sessions, which cancels their
// computations. It waits until all have ended or ctx is done; then it closes the remaining
// connections and returns the error of ctx.
func (h *hub) shutdown(ctx context.Context) error {
	for _, k := range h.close() {
		k.close(websocket.CloseGoingAway, "the server is shutting down")
	}
	h.endSessions()
	ended := make(chan struct{})
	go func() {
		h.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	for _, k := range h.close() {
		k.conn.NetConn().Close()
	}
	return ctx.Err()
}

// endSessions ends all sessions without waiting for them.
func (h *hub) endSessions() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		s.end()
	}
}

// close makes the hub reject new sessions and sockets, and returns the registered sockets.
func (h *hub) close() []*socket {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
	h.kept.Purge()
	list := make([]*socket, 0, len(h.sockets))
	for k := range h.sockets {
		list = append(list, k)
	}
	return list
}

// newSessionID returns an unguessable id: 96 random bits in hexadecimal.
func newSessionID() string {
	var b [12]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
