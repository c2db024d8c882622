package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/errmsg"
	"github.com/wheelscope/wheelscope/web/question"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// sockets holds the open sockets. It is safe for concurrent use.
type sockets struct {
	mu      sync.Mutex
	open    map[*socket]struct{}
	closing bool
	running sync.WaitGroup // waits for the requests of the sockets
}

// enter registers a socket. If it returns nil, the caller must call exit later.
func (s *sockets) enter(k *socket) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return session.BusyError{Reason: errmsg.Newf("the server is shutting down")}
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

// close makes s reject new sockets from now on, and returns the sockets that are registered.
func (s *sockets) close() []*socket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	return slices.Collect(maps.Keys(s.open))
}

// endSessions closes every socket with status 1001 (going away) and ends the sessions, which cancels their
// computations. It waits until all have ended or ctx is done. In the latter case it closes the remaining
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

// places counts the sockets that are open or being opened, in total and per client address.
type places struct {
	most       int
	perAddress int // maximum number of sockets per address; 0 means no limit

	mu   sync.Mutex
	all  int
	from map[string]int // number of sockets by address; nil without a limit
}

func newPlaces(most, perAddress int) (*places, error) {
	most = cmp.Or(most, protocol.SocketsMax)
	if most < 0 || perAddress < 0 {
		return nil, fmt.Errorf("sockets: %d in all and %d per address; expected 0 or more", most, perAddress)
	}
	return &places{most: most, perAddress: perAddress, from: map[string]int{}}, nil
}

// take reserves a place for a socket of the address remote until release is called, or returns a BusyError.
func (p *places) take(remote string) (release func(), err error) {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all >= p.most {
		return nil, session.BusyError{Reason: errmsg.Newf("the limit of %d sockets is reached", p.most)}
	}
	if p.perAddress > 0 {
		if p.from[host] >= p.perAddress {
			return nil, session.BusyError{Reason: errmsg.Newf("the limit of %d sockets from this address is reached", p.perAddress)}
		}
		p.from[host]++
	}
	p.all++
	return func() { p.release(host) }, nil
}

func (p *places) release(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all--
	if p.perAddress == 0 {
		return
	}
	if p.from[host]--; p.from[host] == 0 {
		delete(p.from, host)
	}
}

// retryLater returns the error for a request that exceeds a capacity: status 503 with Retry-After and reason.
func retryLater(c echo.Context, reason errmsg.Message) error {
	c.Response().Header().Set("Retry-After", strconv.Itoa(int(question.RetryWait/time.Second)))
	return echo.NewHTTPError(http.StatusServiceUnavailable, reason)
}
