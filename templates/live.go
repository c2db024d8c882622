package templates

// Live is the page of a wheel that runs in a program. It has no scenario and no
// cursor: its scripts are told how the wheel stands.
type Live struct {
	Page
	Shards   int // of the wheel
	Shown    int // of them on the page
	Recorded int // operations that are recorded at most
}

// in is the address of this page in another language.
func (v *Live) in(lang string) string { return "?lang=" + lang }

// liveFigures are the figures of the moment, in order.
var liveFigures = []string{"pending", "armed", "fired", "stopped", "cascades", "late_now", "late_worst", "late", "running", "recorded"}

// curves are those of which the last minute is drawn.
var curves = map[string]bool{"pending": true, "armed": true, "fired": true, "stopped": true, "cascades": true, "late_now": true}
