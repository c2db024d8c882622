package timerhttp

import (
	"net/http"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
)

// Limits for the page and its stream.
const (
	viewersMax = 8                      // maximum number of open pages of one wheel
	period     = 100 * time.Millisecond // minimum time between two samples for a page
	shareMax   = 20                     // samples for all viewers together use at most 1/shareMax of a processor
	recordMax  = 300                    // maximum number of seconds of a recording
	writeWait  = 10 * time.Second       // time after which a viewer that reads nothing is disconnected
)

// Handler returns a handler that serves the live page of w, with or without http.StripPrefix. It
// responds only to GET and HEAD and changes nothing. With ?debug=1 it returns plain text.
//
// While no page is open, the handler costs nothing. While a page is open, it uses at most a
// twentieth of a processor, however many timers are pending, and every operation on w reads the
// clock until the recording is full. At most 8 pages can be open at the same time. The recording of
// the operations on w, which the page can save as a scenario, begins when the first page is opened
// and has up to 20,000 operations. It does not contain the keys of timers, although the page shows
// them. All handlers of a wheel share the recording and the limit on pages.
//
// With record?seconds=30 after the URL of the page, the response is a recording by timer.Record that
// lasts for that time. The commands of wheelscope read it, such as advise.
//
// The Host header of a request must be localhost, an IP address or one of hosts, such as
// "debug.example.org". Other requests get status 403, so that the page of another site cannot read
// the data by DNS rebinding. If the program is reached by a host name, directly or through a proxy
// that preserves the Host header, hosts must contain that name. Requests made by pages of other
// sites also get status 403.
//
// The page receives its data from a response that does not end. Middleware such as
// http.TimeoutHandler must not buffer it.
func Handler(w *timer.Wheel, hosts ...string) http.Handler {
	watched := w.Watch()
	page := watched.Server(func() any { return newServer(watched, w) }).(*server)
	return onlyHosts(page, hosts)
}
