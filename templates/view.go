// Package templates renders the pages. Its input is its own view structs, which contain numbers and
// words ready to be shown, with all times relative to the scenario's start. Those of the lab's page
// are in this file. The package does not depend on runs, wheels or requests.
//
// Start reading at page.templ. geometry.go computes the positions in a picture, as
// static/js/picture/geometry.js does.
package templates

// Page is the data of a page at first paint.
type Page struct {
	Lang      string // "en" or "zh"
	Base      string // path prefix behind a proxy, "" or "/wheelscope"
	Scenarios []Choice
	Name      string // of the scenario shown
	Title     string
	Summary   string
	Question  string
	Tick      string // length of a base tick, "1ms"
	Until     int64
	Now       int64  // the cursor's tick
	Wall      string // the time of the cursor, "512 ms", "1:05" or "12:00:05" UTC; "" if unknown
	Seq       int64  // the last event applied, 0: none yet
	Step      int64  // the step that Seq belongs to, 1 for the first
	Steps     int64  // of the run, -1: unknown
	Lanes     []Lane
	Problem   string // why the page does not show what its URL asks for; "" if it does
	Run       string // short digest of the run, for the links to its trace and scenario; "" hides them
	Embed     bool   // shown inside another page: lanes and the player only
	Bare      bool   // embedded without the player
	Layout    string // GalleryLayout or StageLayout; "": a page without this choice
	Large     string // the lane that is large on the stage
	Chosen    bool   // the URL names the layout; otherwise it follows from the number of lanes
	Dots      int    // timers of a lane drawn one by one at most; 0: as many as the first paint draws
	Worker    bool   // the server reads a Redis, whose tasks have a page
	Live      bool   // a wheel that runs in a program: no pages about algorithms
	Boot      any    // given to the page's scripts as JSON, element id "boot"

	Texts  Texts               // the catalogue in Lang: static.Texts(lang)
	Assets func(string) string // path of a file of static/ below Base: static.Path
	Module []string            // scripts to be preloaded: static.Modules()
	Sheet  string              // the style sheet: static.Sheet
}

// Choice is an entry of the scenario picker.
type Choice struct {
	Name, Title, Summary string
	Selected             bool
}

// Lane is the state of one algorithm at the cursor.
type Lane struct {
	ID        string
	Algorithm string
	Title     string
	Geometry  string         // "3 levels × 3 slots"
	Spans     string         // "1 / 3 / 9 ms per slot, 3 / 9 / 27 ms per turn"; "": not a ring
	Exact     bool           // fires at its due tick, never early or late
	Shape     string         // "ring", "list", "heap" or "slices"
	Arity     int            // of a heap
	Until     int64          // of the scenario
	Params    map[string]any // of the algorithm, defaults filled in
	Levels    []Level
	Queue     []Bucket // the delay queue, the earliest first
	Places    []Place  // those that hold timers, by level, then slot
	Totals    Totals
	Cost      Cost
}

// Level is one array of slots, finest first; Level -1 is a side list.
type Level struct {
	Level int
	Slots int    // 0: no fixed number
	Width int64  // base ticks per slot
	Hand  int    // the slot under the hand, -1: none
	Span  string // "16 ms per slot, 256 ms per turn"; "": not shown
}

// Bucket is a slot in a delay queue, due at tick Due.
type Bucket struct {
	Level, Slot int
	Due         int64
}

// Place is a slot that holds Count timers. Timers holds the first TimersShown of them.
type Place struct {
	Level, Slot, Count int
	Timers             []Timer
}

// Timer is one timer in a place.
type Timer struct {
	ID        uint32
	Name      string
	Due       int64
	Rounds    int64
	HasRounds bool
	Marked    bool
}

// TimersShown is the number of timers of a place whose names are shown, followed by "+N" if there
// are more.
const TimersShown = 20

// PlacesShown is the number of places of a lane that have a row in its table. If there are more,
// the table shows how many. A heap has a place for each timer.
const PlacesShown = 16384

// Totals counts the timers of a lane since the beginning of the run.
type Totals struct{ Live, Fired, Cancelled, Rejected, Early, Late int64 }

// Cost is work by the algorithm's own counting rule: slots examined, timers touched, comparisons, moves.
type Cost struct{ Tick, Worst, WorstAt, Total int64 }
