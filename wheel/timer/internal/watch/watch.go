// Package watch connects a wheel of package timer with package timerhttp, which shows it, so that
// package timer need not import net/http and the templates.
//
// Package timer implements [Source]; method Watch of a timer.Wheel returns it. Package timerhttp reads the source while a
// page is open.
package watch

import (
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
)

// Limits for a Sample and a Recording.
const (
	LanesShown  = 4     // number of shards whose state a Sample contains; the others are included only in its totals
	listedMax   = 2000  // a Sample lists all timers of a shard that has at most listedMax timers
	listedEach  = 20    // maximum number of timers that a Sample lists per slot if a shard has more than listedMax timers
	RecordedMax = 20000 // maximum number of operations of a recording
)

// Watched is a wheel that package timerhttp can show, together with the server that shows it.
type Watched struct {
	Source

	once   sync.Once
	server any
}

// NewWatched returns a Watched for source.
func NewWatched(source Source) *Watched { return &Watched{Source: source} }

// Server returns the server that all HTTP handlers of the wheel share. The first call creates the server by calling
// make.
func (w *Watched) Server(make func() any) any {
	w.once.Do(func() { w.server = make() })
	return w.server
}

// Source is a wheel that can be watched. Its methods are not called concurrently.
type Source interface {
	// Info returns the properties of the wheel that do not change.
	Info() Info
	// Begin starts a recording. It is called before the first sample for the first viewer.
	Begin()
	// End ends the recording. It is called after the last viewer has left.
	End()
	// Sample returns the state of the wheel.
	Sample() Sample
	// Shards returns a summary of each shard. It may be called at any time, not only between Begin and End.
	Shards() []Shard
	// Recorded returns the operations on timers that were recorded since Begin.
	Recorded() Recording
}

// Info contains the properties of a wheel that do not change.
type Info struct {
	Algorithm string         // name in package algorithms, or the Go type of a wheel that the program provides
	Params    map[string]any // parameters of the algorithm; those that have their default values may be missing
	Tick      time.Duration
	Shards    int
}

// Sample is the state of a wheel at one point in time.
type Sample struct {
	At     time.Duration // time since the wheel was created
	Tick   wheel.Tick
	Lanes  []Lane // states of the first LanesShown shards
	Totals Totals // totals of all shards
}

// Lane is the state of one shard, which the page shows as a lane. A [Shard], in contrast, is only a summary.
type Lane struct {
	Now   wheel.Tick
	Full  bool // whether State lists every timer
	State wheel.State
	Late  int64
	Names map[uint32]string // keys of pending timers as text, by ID of the timer
}

// Shard is a summary of one shard of a wheel. It does not list its timers.
type Shard struct {
	Now     wheel.Tick
	Pending int
	Levels  []Level // levels, finest first; none after the wheel is closed
}

// Level is a summary of one level of a shard's wheel.
type Level struct {
	wheel.Level
	Occupied int // number of slots that contain timers
	Timers   int // number of timers in all slots
	Fullest  int // number of timers in the fullest slot
}

// Totals contains sums over all shards. Armed, Fired, Stopped, Moved (how often timers moved to another place) and Late
// (how many timers were passed to the executor more than a tick after they were due) are counted since the wheel was
// created, and Recorded since the recording began. LateWorst is the maximum lateness since the wheel was created.
type Totals struct {
	Pending, Running             int
	Armed, Fired, Stopped, Moved int64
	Late                         int64
	LateNow                      time.Duration // maximum lateness since the previous sample
	LateWorst                    time.Duration
	Recorded                     int64
}

// Recording contains the operations on timers since the last call to Source.Begin, in the ticks from Begun to End.
type Recording struct {
	Begun, End wheel.Tick
	Ops        []Op // operations of all shards, one shard after another, each in order of time
	Whole      bool // whether all operations were recorded
}

// Op is one recorded operation: the scheduling or cancellation of a timer.
type Op struct {
	At    wheel.Tick // tick of the operation, counted from the beginning of the recording
	Timer int64      // number of the timer in the recording
	Stop  bool       // whether the timer was cancelled; otherwise it was scheduled with Delay, Every and Times
	Delay wheel.Tick
	Every wheel.Tick
	Times int32
}
