// Package templates renders the pages. Its input consists of view structs, which contain numbers and texts ready
// for display. All times in them are relative to the scenario's start. The structs for the lab page are in this
// file. The package does not depend on runs, wheels or requests.
//
// Start reading at page.templ. geometry.go computes the positions in a picture, as
// static/js/picture/geometry.js does.
package templates

// Page is the data of a page at first paint.
type Page struct {
	Lang      string // "en" or "zh"
	Base      string // path prefix of all URLs, such as "/wheelscope"; "." makes URLs relative, and "" means no prefix
	Scenarios []Choice
	Name      string // name of the scenario
	Title     string
	Summary   string
	Question  string
	Tick      string // length of a base tick, such as "1ms"
	Until     int64  // last tick of the scenario
	Now       int64  // tick of the cursor
	// Wall is the time at the cursor: a duration since the start of the run, such as "512 ms" or "1:05", or, if
	// the scenario starts at a calendar time, the time of day in UTC, such as "12:00:05". It is "" if unknown.
	Wall    string
	Seq     int64 // number of the last event applied at the cursor; 0 before the first event
	Step    int64 // number of the step that contains event Seq, counting from 1; 0 before the first event, -1 if unknown
	Steps   int64 // number of steps of the run; -1 if unknown
	Lanes   []Lane
	Problem string // reason why the page does not show what its URL requests; "" if it does
	Run     string // short digest of the run, for links to its trace and scenario; if it is "", the page has no such links
	Embed   bool   // whether the page is embedded in another page; it then has only the lanes and the player
	Bare    bool   // whether an embedded page has only the lanes, without the player
	Layout  string // GalleryLayout or StageLayout; "" if the page has neither
	Large   string // ID of the lane that is large in StageLayout
	Staged  bool   // whether StageLayout is the default however few lanes there are, because the entry view cannot show the run
	Simple  bool   // whether the page has a link to the entry view
	Chosen  bool   // whether the URL specifies the layout; if not, the layout depends on the number of lanes
	Worker  bool   // whether the server has a page about the tasks on Redis
	Live    bool   // whether the page shows a wheel in a running program; it then has no links to pages about algorithms
	Boot    any    // data for the page's scripts, sent as JSON in the element with the ID "boot"

	Texts  Texts               // texts in the language Lang, from static.Texts
	Assets func(string) string // returns the path, relative to Base, of a file in static/; see static.Path
	Module []string            // names of the modules to preload, from static.Modules
	Sheet  string              // name of the style sheet, from static.Sheet
	Site   *Site               // properties of the static site that contains the page; nil on a server
}

// Choice is an entry of the scenario picker.
type Choice struct {
	Name, Title, Summary string
	Selected             bool
}

// Lane is the state of a lane at the cursor.
type Lane struct {
	ID        string
	Algorithm string
	Title     string
	Geometry  string         // size of the structure, such as "3 levels × 3 slots"
	Spans     string         // durations of slots and of revolutions, such as "1 / 3 / 9 ms per slot, 3 / 9 / 27 ms per turn"; "" if the lane is not a ring
	Exact     bool           // whether every timer fires at its due tick
	Shape     string         // "ring", "list", "heap" or, for the wheel on Redis, "slices": a column for each minute
	Arity     int            // maximum number of children of a node, if Shape is "heap"
	Until     int64          // last tick of the scenario
	Params    map[string]any // parameters of the algorithm, with defaults filled in
	Levels    []Level
	Queue     []Bucket // slots in the delay queue, in the order in which they leave the queue
	Places    []Place  // places that contain timers, sorted by level and then by slot
	Totals    Totals
	Cost      Cost
	Step      *Step // what led to the state, for a picture with the ways of timers; nil for one of the state only
}

// Step is what happened in a lane in the tick or the step that ends at the cursor.
type Step struct {
	Before []Place // timers before it
	Moves  []FaceMove
	Ended  []FaceEnded
}

// Level is one array of slots of a lane. Level 0 is the finest; level −1 is a list beside the wheel.
type Level struct {
	Level int
	Slots int    // number of slots; 0 if it is not fixed
	Width int64  // base ticks per slot
	Hand  int    // index of the slot under the hand; -1 means none
	Span  string // durations of a slot and of a revolution, such as "16 ms per slot, 256 ms per turn"; "" if not shown
}

// Bucket is a slot in a delay queue, due at tick Due.
type Bucket struct {
	Level, Slot int
	Due         int64
}

// Place is a slot, a list or an element of a heap that contains Count timers. Timers holds the first of these timers,
// at most TimersShown on a page and at most DotsMax in a picture that is saved as a file.
type Place struct {
	Level, Slot, Count int
	Timers             []Timer
}

// Timer is a timer in a place. Due is relative to the start of the scenario. If HasRounds is true, Rounds is the number
// of revolutions that the timer still waits. Marked reports whether the timer is cancelled but still in its slot.
// If Stale is true, a heap orders the timer by Key instead of by its due tick.
type Timer struct {
	ID        uint32
	Name      string
	Due       int64
	Rounds    int64
	HasRounds bool
	Marked    bool
	Stale     bool
	Key       int64
}

// TimersShown is the maximum number of timers of a place whose names are shown. If the place contains N more timers,
// the names are followed by "+N".
const TimersShown = 20

// PlacesMax is the maximum number of places of a lane that have a row in its table. A heap has a place for each of its
// timers.
const PlacesMax = 16384

// placesShown is the maximum number of rows of a table that are visible. If there are more places, the last row contains
// the number of the others.
const placesShown = 200

// Totals counts the timers of a lane. Live is the number of pending timers at the cursor. The other fields count what
// has happened since the beginning of the run; Early and Late count how often a timer fired before and after its due
// tick.
type Totals struct{ Live, Fired, Cancelled, Rejected, Early, Late int64 }

// Cost is the work of a lane, as counted by the algorithm's own rule (slots examined, timers touched,
// comparisons, moves). Tick is the cost in the tick of the cursor, Worst the maximum cost of a tick so far,
// WorstAt the first tick with that cost, and Total the cost of all ticks so far.
type Cost struct {
	Tick, Worst, WorstAt, Total int64
	// Slots, Touched, Compared and Moved divide the cost of the cursor's tick, up to the end of that tick.
	Slots, Touched, Compared, Moved int64
}
