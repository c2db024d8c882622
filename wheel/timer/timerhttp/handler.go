package timerhttp

import (
	"net/http"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// Bounds of the page and its stream.
const (
	viewersMax = 8                      // maximum number of open pages of one wheel
	period     = 100 * time.Millisecond // the shortest time between two samples
	shareMax   = 20                     // samples take at most 1/shareMax of a processor, for all viewers together
	writeWait  = 10 * time.Second       // time after which a viewer that reads nothing is disconnected
)

// Handler returns a handler that serves the live page of w, with or without http.StripPrefix. It
// answers GET and HEAD only and changes nothing. With ?debug=1 it returns plain text.
//
// While no page is open the handler costs nothing. While a page is open, it takes at most a
// twentieth of a processor, however many timers are pending, and every operation on w reads the
// clock until the recording is full. At most 8 pages can be open at the same time. The recording of
// the operations on w, which the page can save as a scenario, begins when the first page is opened
// and has up to 20,000 operations. It does not contain the keys of timers, although the page shows
// them. All handlers of a wheel share the recording and the limit on pages.
//
// The Host of a request must be localhost, an IP address or one of hosts, such as
// "debug.example.org". Other requests get status 403, so that another site's page cannot read the
// data by DNS rebinding. A program that is reached by a name, directly or through a proxy that
// keeps the Host, must list that name. Requests made by pages of other sites get status 403 as
// well.
//
// The page is fed by a response that does not end. Middleware must not buffer it, as
// http.TimeoutHandler does.
func Handler(w *timer.Wheel, hosts ...string) http.Handler {
	watched := watch.Of(w)
	page := watched.Server(func() any { return newServer(watched, w.Stats) }).(*server)
	return onlyHosts(page, hosts)
}
