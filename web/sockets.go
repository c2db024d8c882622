package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// sockets holds the open sockets. It is safe for concurrent use.
type sockets struct {
	mu      sync.Mutex
	open    map[*socket]struct{}
	closing bool           // whether new sockets are rejected
	running sync.WaitGroup // counts the sockets that are being served
}

// enter registers k as open. It returns an error of kind texts.Unavailable if the server is shutting down. If it returns nil, the
// caller must call exit when the socket is closed.
func (s *sockets) enter(k *socket) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return texts.Errorf(texts.Unavailable, "", "the server is shutting down")
	}
	s.open[k] = struct{}{}
	s.running.Add(1)
	return nil
}

// exit unregisters k, which has been closed.
func (s *sockets) exit(k *socket) {
	s.mu.Lock()
	delete(s.open, k)
	s.mu.Unlock()
	s.running.Done()
}

// close makes enter reject sockets from now on, and returns the registered sockets.
func (s *sockets) close() []*socket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	return slices.Collect(maps.Keys(s.open))
}

// endSessions closes every socket with status 1001 (going away), ends all sessions and cancels their
// computations. It returns when all have ended. If ctx is done first, it closes the remaining connections and
// returns ctx.Err().
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

// places counts the sockets that are open or being opened, in total and per client address, and enforces limits
// on both. It is safe for concurrent use.
type places struct {
	limit      int // maximum number of sockets in total
	perAddress int // maximum number of sockets per address; 0 means no limit

	mu    sync.Mutex
	total int            // number of sockets
	from  map[string]int // number of sockets by client, as named by clientAt; empty if perAddress is 0
}

// newPlaces returns a *places that admits at most limit sockets in total and at most perAddress sockets per client
// address, or per network of 64 bits of IPv6. If limit is 0, protocol.SocketsMax is used. If perAddress is 0, the number of sockets per address is not
// limited. A negative argument is an error.
func newPlaces(limit, perAddress int) (*places, error) {
	limit = cmp.Or(limit, protocol.SocketsMax)
	if limit < 0 || perAddress < 0 {
		return nil, fmt.Errorf("sockets: %d in all and %d per address; expected 0 or more", limit, perAddress)
	}
	return &places{limit: limit, perAddress: perAddress, from: map[string]int{}}, nil
}

// take reserves a place for a socket of the client at the address remote. It returns an error of kind texts.Unavailable if a
// limit is reached. The caller must call release when the socket is closed.
func (p *places) take(remote string) (release func(), err error) {
	host := clientAt(remote)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total >= p.limit {
		return nil, texts.Errorf(texts.Unavailable, "", "the limit of %d sockets is reached", p.limit)
	}
	if p.perAddress > 0 {
		if p.from[host] >= p.perAddress {
			return nil, texts.Errorf(texts.Unavailable, "", "the limit of %d sockets from this address is reached", p.perAddress)
		}
		p.from[host]++
	}
	p.total++
	return func() { p.release(host) }, nil
}

// release gives back the place that take reserved for a socket of the client with the address host.
func (p *places) release(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	if p.perAddress == 0 {
		return
	}
	if p.from[host]--; p.from[host] == 0 {
		delete(p.from, host)
	}
}
