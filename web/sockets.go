package web

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/web/session"
)

// sockets holds the open sockets. It is safe for concurrent use.
type sockets struct {
	mu      sync.Mutex
	open    map[*socket]struct{}
	closing bool
	running sync.WaitGroup // their requests
}

// enter registers a socket. If it succeeds, the caller must call exit later.
func (s *sockets) enter(k *socket) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return session.BusyError{Reason: say.Of("the server is shutting down")}
	}
	s.open[k] = struct{}{}
	s.running.Add(1)
	return nil
}

// exit unregisters a socket.
func (s *sockets) exit(k *socket) {
	s.mu.Lock()
	delete(s.open, k)
	s.mu.Unlock()
	s.running.Done()
}

// close makes sockets reject new ones, and returns the registered ones.
func (s *sockets) close() []*socket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	return slices.Collect(maps.Keys(s.open))
}

// endSessions closes every socket with 1001 (going away) and ends the sessions, which cancels their
// computations. It waits until all have ended or ctx is done; then it closes the remaining
// connections and returns the error of ctx.
func (s *Server) endSessions(ctx context.Context) error {
	s.hub.Close()
	for _, k := range s.sockets.close() {
		k.close(websocket.CloseGoingAway, "the server is shutting down")
	}
	s.hub.End()
	ended := make(chan struct{})
	go func() {
		s.sockets.running.Wait()
		s.hub.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	for _, k := range s.sockets.close() {
		k.conn.NetConn().Close()
	}
	return ctx.Err()
}
