package web

import (
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// acceptance acknowledges a request whose answer takes longer than protocol.AnswerWait. It sends status 202 and the
// headers of a JSON response, followed by a newline every protocol.AnswerWait until the answer is known, so that no
// proxy closes the connection as idle. The answer follows in the same body; JSON permits newlines before a value. An
// informational response (1xx) would be simpler, but proxies that do not know its status code mistake it for the final
// response.
type acceptance struct {
	c echo.Context

	mu    sync.Mutex // guards timer, sent and ended; held while acknowledge writes the response
	timer *time.Timer
	sent  bool // whether status 202 has been sent
	ended bool // whether end has been called
}

// accept returns an acceptance that starts acknowledging the request c once protocol.AnswerWait has passed. The caller
// must call end before writing the answer.
func accept(c echo.Context) *acceptance {
	a := &acceptance{c: c}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(protocol.AnswerWait, a.acknowledge)
	return a
}

// acknowledge sends status 202 if it has not been sent yet, then a newline, and restarts a.timer, which will call
// acknowledge again after protocol.AnswerWait. It does nothing after end has been called.
func (a *acceptance) acknowledge() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	response := a.c.Response()
	control := http.NewResponseController(response)
	control.SetWriteDeadline(time.Now().Add(requestWait))
	if !a.sent {
		a.sent = true
		response.Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
		response.WriteHeader(http.StatusAccepted)
	}
	response.Write([]byte("\n")) // an error cancels the request's context
	control.Flush()
	a.timer.Reset(protocol.AnswerWait)
}

// end stops the acknowledgements and reports whether status 202 has been sent. If so, the caller cannot set another
// status, and must write the answer to the body. Further calls of end have no other effect.
func (a *acceptance) end() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.timer.Stop()
	return a.sent
}
