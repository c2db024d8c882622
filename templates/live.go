package templates

// Live is the data of the page that shows a wheel of a running program. The page has no scenario and no
// cursor: its scripts receive the state of the wheel from the program.
type Live struct {
	Page
	Shards   int // number of shards of the wheel
	Shown    int // number of shards that the page shows
	Recorded int // maximum number of operations in a recording of the wheel
}

// liveFigures lists the text keys of the statistics on the page of a wheel in a running program, in display
// order.
var liveFigures = []string{"pending", "armed", "fired", "stopped", "cascades", "late_now", "late_worst", "late", "running", "recorded"}

// curves is the set of elements of liveFigures for which the page of a wheel in a running program shows a graph
// of the last minute.
var curves = map[string]bool{"pending": true, "armed": true, "fired": true, "stopped": true, "cascades": true, "late_now": true}
