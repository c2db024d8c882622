package timer

import (
	"net/http"

	"github.com/wheelscope/wheelscope/wheel/timer/internal/live"
)

// Handler serves the lab's page on a wheel that runs, read-only, as net/http/pprof
// serves profiles: slots, hands, cascades, rates and lateness as they are, ten times a
// second. Mount it where only those may look who may see the program's profiles:
//
//	http.Handle("/debug/timers/", timer.Handler(w))
//
// It costs nothing while nobody looks, and at most a twentieth of a processor while
// somebody does, however many timers are pending (and a reading of the clock for each
// operation while it records). At most 8 pages may look at once. What happened since
// the page was opened, up to 20,000 operations, can be saved as a scenario, which the
// lab opens. Keys of timers are shown on the page; they are not in the scenario. All
// handlers of a wheel share those pages and that record, wherever they are mounted.
//
// It answers under localhost, under IP addresses and under the names in hosts, such as
// "debug.example.org", and refuses any other Host with 403, so that no page of another
// site reads it by DNS rebinding. A program that is reached by a name, directly or
// through a proxy that keeps the Host, must give that name.
//
// It is told in a response that does not end, so what stands before it must let through
// what is written: http.TimeoutHandler does not.
func Handler(w *Wheel, hosts ...string) http.Handler {
	w.watch.Do(func() { w.page = live.Handler(&watched{wheel: w}) })
	return live.OnlyHosts(w.page, hosts)
}
