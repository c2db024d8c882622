package web

import (
	"context"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// A trace whose turn does not come in time is refused, like every other answer that is not ready in
// time.
func TestTraceWaitsForItsTurnNoLongerThanOtherAnswers(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for range 2 * max(1, runtime.GOMAXPROCS(0)-1) { // all turns, and those lent in their place
			_, leave, err := h.store.Queue().Enter(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
		}
		began := time.Now()
		a := h.get("/trace?run=" + run)
		if a.code != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || time.Since(began) != protocol.AnswerWait {
			t.Errorf("%d %q after %s, want 503 after %s", a.code, a.body, time.Since(began), protocol.AnswerWait)
		}
	})
}
