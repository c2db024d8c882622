package engine

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// Copies share pages, and a write to one is not seen in the others.
func TestHandlesAreShared(t *testing.T) {
	var h handles
	h.resize(4000)
	h.set(5, wheel.NewTimer(1, 1))
	h.set(3900, wheel.NewTimer(2, 1))
	first := h.clone()
	second := first.clone()
	h.set(5, wheel.NewTimer(3, 1))
	second.set(6, wheel.NewTimer(4, 1))
	second.resize(8000)
	second.set(7999, wheel.NewTimer(5, 1))
	for _, c := range []struct {
		in   *handles
		id   uint32
		want uint32 // index of the handle
	}{{&h, 5, 3}, {&h, 6, 0}, {&h, 3900, 2}, {&first, 5, 1}, {&first, 6, 0}, {&second, 5, 1}, {&second, 6, 4}, {&second, 3900, 2}, {&second, 7999, 5}, {&second, 7998, 0}} {
		if got := c.in.at(c.id).Index(); got != c.want {
			t.Errorf("timer %d has the handle %d, want %d", c.id, got, c.want)
		}
	}
	if p := 3900 / handlePage; &h.pages[p][0] != &first.pages[p][0] || &h.pages[p][0] != &second.pages[p][0] {
		t.Error("a page that no copy has written is not shared")
	}
}
