package scripttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
)

// whyScenario has timers that are late by their lane's rule, and others that are late because of a
// stall of the driver from tick 41 to 66.
const whyScenario = `{"wheelscope":1,"until":90,"lanes":[
	{"id":"wide","algorithm":"rounds","slots":4,"width":10},
	{"id":"levels","algorithm":"hierarchical","slots":4,"levels":4},
	{"id":"digits","algorithm":"hierarchical","slots":4,"levels":4,"placement":"digits"},
	{"id":"kafka","algorithm":"kafka","slots":4,"width":10},
	{"id":"ticks","algorithm":"kafka","drive":"tick","slots":4,"width":10},
	{"id":"netty","algorithm":"netty","slots":4,"width":10},
	{"id":"linux","algorithm":"linux"},
	{"id":"counted","algorithm":"rounds","variant":"procinc","slots":4,"width":10},
	{"id":"naive","algorithm":"rounds","variant":"naive","slots":4,"width":5},
	{"id":"floor","algorithm":"rounds","rounding":"floor","slots":4,"width":10}],
	"workload":{"ops":[
	{"at":0,"op":"schedule","timer":"a","delay":20},{"at":0,"op":"schedule","timer":"b","delay":23},
	{"at":30,"op":"schedule","timer":"past","delay":0},{"at":31,"op":"schedule","timer":"soon","delay":5},
	{"at":31,"op":"schedule","timer":"far","delay":50},
	{"at":40,"op":"schedule","timer":"stalled","delay":13},{"at":40,"op":"stall","for":27}]}}`

// TestWhy compares the page's reasons for a place and for a late timer with the rule of the lane: a
// due tick that was rounded, slots counted from the hand, or a slot that was not visited in
// time.
func TestWhy(t *testing.T) {
	t.Parallel()
	n := newStory(t)
	run := runOf(t, []byte(whyScenario))
	facts, levels := factsOf(t, run.Program())
	reasons := eval[map[string]string](n, fmt.Sprintf("whyTrace(%s, %s, %s, %s)",
		quote(headOfTrace(t, run, 500)), quote(facts), quote(levels), quote(static.Texts("en"))))
	const rounded, missed, hand, past = "rounded up", "did not visit", "counted from", "come already"
	const reach, digit = "beyond the range of the finer levels", "leftmost digit"
	for event, want := range map[string]string{
		"wide expire b": rounded, "wide expire stalled": missed,
		"levels place stalled": reach, "digits place stalled": digit,
		"kafka place far": "wheel’s own clock", "ticks place far": reach, "ticks place b": "is rounded to",
		"kafka expire soon": "less than a slot ahead", "ticks expire soon": "less than a slot ahead", "floor expire soon": "less than a slot ahead",
		"levels expire stalled": missed, "kafka expire stalled": missed, "floor expire stalled": missed,
		"netty expire a": "so it fires at 30", "netty expire stalled": missed,
		"linux expire a": "in the tick after, 21", "linux expire stalled": missed, "linux place past": past,
		"counted expire a": hand, "counted expire past": hand, "counted place a": hand, "counted place past": hand,
		"naive expire a": "a revolution too many", "naive expire b": rounded, "naive expire stalled": missed,
	} {
		if !strings.Contains(reasons[event], want) {
			t.Errorf("%s: the page says %q, not %q", event, reasons[event], want)
		}
	}
}
