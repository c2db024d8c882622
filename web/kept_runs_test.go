package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Questions about a run that a session shows are answered, and its files can be downloaded, however
// many other runs were opened since.
func TestWhatIsShownIsKept(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots")
		defer c.close()
		c.must(`"do":"op","op":"schedule","timer":"mine","delay":1`)
		run := c.hello.Run
		other := h.client("/ws?scenario=three-slots")
		defer other.close()
		for n := range sim.StoreRunsMax + 1 {
			other.must(fmt.Sprintf(`"do":"op","op":"schedule","timer":"other%d","delay":1`, n))
		}
		for _, path := range []string{"/api/events?seq=1&n=1&run=", "/api/life?id=1&run=", "/scenario?run=", "/trace?run="} {
			if a := h.get(path + run); a.code != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.code, a.body)
			}
		}
	})
}

// overHTTP returns the status and the line with which a request that fails with err is answered,
// and the log.
func overHTTP(err error) (code int, line, logged string) {
	var log bytes.Buffer
	s := &Server{log: slog.New(slog.NewTextHandler(&log, nil))}
	code, line = s.faultOf(err, echo.New().NewContext(httptest.NewRequest("GET", "/trace?lang=en", nil), httptest.NewRecorder()))
	return code, line, log.String()
}

// The error that a run was dropped is in the user's language, and not logged as a fault of the
// server.
func TestDroppedRunIsReported(t *testing.T) {
	err := fmt.Errorf("looking: %w", sim.ErrGone)
	if e := protocol.Describe(err, "zh"); !strings.Contains(e.Message, "请重试") {
		t.Errorf("%+v", e)
	}
	if code, line, logged := overHTTP(err); code != http.StatusServiceUnavailable || !strings.HasSuffix(line, "try again") || logged != "" {
		t.Errorf("%d %q, log %q", code, line, logged)
	}
}

// A page discards its timeline at a hello, so a timeline follows even for the same run.
func TestTimelineFollowsEveryHello(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots")
		defer c.close()
		c.until("the run is computed", func() bool { return c.timeline.Done })
		for _, command := range []string{`"do":"load","scenario":"three-slots"`, `"do":"lane","move":"heap","to":23`} {
			c.timeline = protocol.Timeline{}
			c.must(command)
			c.until("a timeline", func() bool { return c.timeline.Run == c.hello.Run && c.timeline.Done })
		}
	})
}

// A URL without the final slash is redirected with its query.
func TestRedirectsKeepTheQuery(t *testing.T) {
	inBubble(t, Config{BasePath: "/lab"}, func(t *testing.T, h *harness) {
		for path, want := range map[string]string{
			"/lab":                            "/lab/",
			"/lab?scenario=heartbeats&t=5":    "/lab/?scenario=heartbeats&t=5",
			"/lab/algorithms/?lang=zh":        "/lab/algorithms?lang=zh",
			"/lab?next=//evil.example/%0d%0a": "/lab/?next=//evil.example/%0d%0a",
		} {
			for _, method := range readMethods {
				r, err := http.NewRequest(method, "http://127.0.0.1:8080"+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				a, err := h.do(r)
				if err != nil || a.code != http.StatusPermanentRedirect || a.header.Get("Location") != want {
					t.Errorf("%s %s: %d %q (%v), want %q", method, path, a.code, a.header.Get("Location"), err, want)
				}
			}
		}
	})
}

// The error that a run is too long has a field and is in the user's language like others. It is not
// logged as a fault of the server.
func TestTooLongRunIsReported(t *testing.T) {
	err := fmt.Errorf("looking: %w", &sim.TooLongError{Tick: 42})
	if e := protocol.Describe(err, "en"); e.Path != "until" || !strings.HasPrefix(e.Message, "the run is too long") || !strings.HasSuffix(e.Message, "42") {
		t.Errorf("%+v", e)
	}
	if e := protocol.Describe(err, "zh"); e.Path != "until" || !strings.Contains(e.Message, "运行过长") {
		t.Errorf("%+v", e)
	}
	if code, line, logged := overHTTP(err); code != http.StatusBadRequest || !strings.HasPrefix(line, "until: the run is too long") || logged != "" {
		t.Errorf("%d %q, log %q", code, line, logged)
	}
}

// A trace refused before anything is sent is not logged as cut short.
func TestARefusedTraceIsNotLogged(t *testing.T) {
	var log bytes.Buffer
	inBubble(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, func(t *testing.T, h *harness) {
		c := h.client("/ws?scenario=three-slots")
		defer c.close()
		if a := h.get("/trace?as=html&seq=x&run=" + c.hello.Run); a.code != http.StatusBadRequest {
			t.Errorf("%d %s", a.code, a.body)
		}
	})
	if log.Len() > 0 {
		t.Errorf("logged %q", log.String())
	}
}
