package e2e

import (
	"strings"
	"testing"
)

// slowPlayer delays the server's `player` messages until some frames after the state that they
// belong to.
const slowPlayer = `(() => {
	const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	const late = (e) => e.data.slice(0, 40).includes('"player"');
	Object.defineProperty(WebSocket.prototype, "onmessage", { set(take) {
		own.set.call(this, (e) => (late(e) ? setTimeout(() => take(e), 150) : take(e)));
	} });
})()`

// TestEndIsLeft goes from the end to a tick without events: the story does not describe it as the
// end, though the server's message arrives a little later.
func TestEndIsLeft(t *testing.T) {
	soak(t)
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.atStart(slowPlayer)
	p.open(s.url + "/?view=lab&scenario=three-slots")
	p.slide(14)
	p.wait(`document.querySelector("[role=status]").textContent.includes("The end")`)
	p.slide(8)
	p.frames()
	if got := p.status(); !strings.Contains(got, "nothing was due") || strings.Contains(got, "The end") {
		t.Errorf("at tick 8 of 14 the page says %q", got)
	}
}
