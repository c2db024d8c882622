// Package peers tests well-known timer libraries with package wheeltest, and compares their
// performance with this project's. It is a separate module, so that none of them becomes a
// dependency of Wheelscope.
//
// An adapter makes a library implement wheeltest.Timers and adds nothing to it. If a library does
// not report something, such as whether a Stop was in time or how many timers are pending, the
// adapter does not report it either. Properties that a library does not claim are skipped, with the
// reason.
package peers

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

// A Peer is one implementation under test.
type Peer struct {
	Name    string
	Version string
	Make    wheeltest.Factory
	Options []wheeltest.Option
	// Breaks lists the names of the properties that the implementation is known to break. The test
	// must find at least these.
	Breaks []string
}

// All returns the peers, package time first and this project's library last.
func All() []Peer {
	return []Peer{standard, russellLuo, antlabs, rfyiamcool, ouqiang, goZero, siddontang, wheelscope}
}

const millisecond = time.Millisecond

// unclaimed returns options that skip the named properties, which a library does not claim to have.
// The reason, why, is the same for all.
func unclaimed(why string, names ...string) (options []wheeltest.Option) {
	for _, name := range names {
		options = append(options, wheeltest.Unclaimed(name, why))
	}
	return options
}
