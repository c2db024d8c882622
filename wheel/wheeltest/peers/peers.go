// Package peers tests well-known timer libraries with package wheeltest, and compares their
// performance with that of package wheel/timer. It is a separate module, so that these libraries do
// not become dependencies of Wheelscope.
//
// An adapter makes a library implement wheeltest.Timers and adds nothing to it. If a library does
// not report something, such as whether a Stop was in time or how many timers are pending, the
// adapter does not report it either. Properties that a library does not claim are skipped, and the
// reason is given.
package peers

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// A Peer is one implementation under test.
type Peer struct {
	Name    string
	Version string             // version of the module
	Make    wheeltest.Factory  // creates an instance
	Options []wheeltest.Option // options for wheeltest.Run with this implementation
	// Breaks lists the names of the properties that the implementation is known to break. The test
	// must find at least these.
	Breaks []string
}

// All returns the peers: package time first, then other libraries, and package wheel/timer last.
func All() []Peer {
	return []Peer{standard, russellLuo, antlabs, rfyiamcool, ouqiang, goZero, siddontang, wheelscope}
}

const millisecond = time.Millisecond

// unclaimed returns options that skip the named properties, which the library does not claim to have. why is the reason
// that each of the options gives.
func unclaimed(why string, names ...string) (options []wheeltest.Option) {
	for _, name := range names {
		options = append(options, wheeltest.Unclaimed(name, why))
	}
	return options
}
