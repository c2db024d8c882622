// Package live serves the lab's page on a wheel that runs in a program, read-only. It
// knows no clock and no lock of the wheel's: it asks a [Source] for samples, as often
// as somebody looks, and gives what it is told to the page.
//
// Start reading at handler.go (addresses and who may ask), then feed.go (the stream),
// message.go (what is told) and scenario.go (what was watched, as a scenario).
package live

import (
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Bounds of watching.
const (
	ViewersMax  = 8                      // pages that look at one wheel at once
	LanesShown  = 4                      // shards that are drawn; of the others the totals are told
	ListedMax   = 2000                   // timers of a shard up to which all are told
	ListedEach  = 20                     // … past it so many of each slot
	Period      = 100 * time.Millisecond // between two samples, at least
	ShareMax    = 20                     // sampling and telling take 1/ShareMax of a processor, all viewers together
	RecordedMax = 20000                  // operations that are recorded while somebody looks
	writeWait   = 10 * time.Second       // a viewer that takes no message for so long is left
)

// Source is a wheel that can be watched.
type Source interface {
	// Info tells what doesn't change.
	Info() Info
	// Begin is called before the first sample of the first viewer, End after the last.
	Begin()
	End()
	// Sample looks at the wheel.
	Sample() Sample
	// Recorded gives the operations since Begin, and the tick at which it was.
	Recorded() Recording
}

// Info is what doesn't change about a wheel.
type Info struct {
	Algorithm string
	Params    catalog.Params // of the algorithm, as they were given
	Tick      time.Duration
	Shards    int
}

// Sample is how a wheel stood at an instant.
type Sample struct {
	At     time.Duration // since the wheel was made
	Tick   wheel.Tick
	Lanes  []Lane // of the first shards
	Totals Totals
}

// Lane is a shard.
type Lane struct {
	Now   wheel.Tick
	Full  bool // every timer is listed
	State wheel.State
	Late  int64
	Names map[uint32]string // of the timers listed that have a key
}

// Totals are of all shards; what counts, counts since the wheel was made.
type Totals struct {
	Pending, Running             int
	Armed, Fired, Stopped, Moved int64
	Late                         int64
	LateNow                      time.Duration // the most since the sample before
	LateWorst                    time.Duration
	Recorded                     int64
}

// Recording is what was done with timers since Begin.
type Recording struct {
	Begun, End wheel.Tick
	Ops        []Op // in order
	Whole      bool // nothing is missing
}

// Op is one operation.
type Op struct {
	At    wheel.Tick // since Begin
	Timer int64      // its number
	Stop  bool       // cancelled; else scheduled with what follows
	Delay wheel.Tick
	Every wheel.Tick
	Times int32
}
