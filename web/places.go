package web

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// places counts the sockets that are open or being opened, in all and per client address.
type places struct {
	most       int
	perAddress int // 0: no limit

	mu   sync.Mutex
	all  int
	from map[string]int // by address; only with a limit
}

func newPlaces(most, perAddress int) (*places, error) {
	if most == 0 {
		most = protocol.SocketsMax
	}
	if most < 0 || perAddress < 0 {
		return nil, fmt.Errorf("sockets: %d in all and %d per address; expected 0 or more", most, perAddress)
	}
	return &places{most: most, perAddress: perAddress, from: map[string]int{}}, nil
}

// take reserves a place for a client's socket until release is called. Its error is an errBusy.
func (p *places) take(remote string) (release func(), err error) {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all >= p.most {
		return nil, session.BusyError{Reason: say.Of("there are %d sockets, no more are admitted", p.most)}
	}
	if p.perAddress > 0 {
		if p.from[host] >= p.perAddress {
			return nil, session.BusyError{Reason: say.Of("there are %d sockets from this address, no more are admitted", p.perAddress)}
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

// retryLater returns the error for a request for which there is no room: 503 with Retry-After.
func retryLater(c echo.Context, reason say.Message) error {
	c.Response().Header().Set("Retry-After", strconv.Itoa(int(retryWait/time.Second)))
	return echo.NewHTTPError(http.StatusServiceUnavailable, reason)
}
