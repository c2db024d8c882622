// Package peers examines timer libraries that are in use with package wheeltest, and
// measures them beside this project's. It is a module of its own, so that none of them
// becomes a dependency of Wheelscope.
//
// Each adapter gives a library the shape of wheeltest.Timers and nothing more: what
// the library does not say (whether a Stop was in time, how many timers are pending) is
// not made up, and what it does not claim is left out, with the reason.
package peers

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// A Peer is one implementation that is examined.
type Peer struct {
	Name    string
	Version string
	Make    wheeltest.Factory
	Options []wheeltest.Option
	// Breaks are properties that the list of known faults says it breaks: the
	// examination must find at least these.
	Breaks []string
}

// All lists the peers, package time first and this project's library last.
func All() []Peer {
	return []Peer{standard, russellLuo, antlabs, rfyiamcool, ouqiang, goZero, siddontang, wheelscope}
}

const millisecond = time.Millisecond

// unclaimed leaves several properties out for one reason.
func unclaimed(why string, names ...string) (options []wheeltest.Option) {
	for _, name := range names {
		options = append(options, wheeltest.Unclaimed(name, why))
	}
	return options
}
