package lane

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// The catalogue states that far tasks are not visited. The worker's next work is therefore
// the task itself, however far it is.
func TestFarTasksAreNotVisited(t *testing.T) {
	a, _ := algorithms.Lookup(id)
	for _, v := range variants() {
		if got := a.Revisit(v.params); got != 0 {
			t.Errorf("%s: a visit every %d ticks", v.name, got)
		}
		l := v.build(t)
		second := max(1e9/v.nanos, 1)
		due := v.start + 1e9*second/max(1, v.nanos/1e9)
		if _, _, err := l.Schedule(wheel.Spec{Due: due, Key: 1}); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if at, ok := l.Next(); !ok || due-at > (wheel.Tick(16*3600)*second) {
			t.Errorf("%s: due %d, next work at %d, %v", v.name, due, at, ok)
		}
	}
}
