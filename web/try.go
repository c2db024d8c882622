package web

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Judge judges a wheel in JavaScript, in a process with limits.
type Judge func(ctx context.Context, t *own.Trial) (*own.Result, error)

// tryPath is the path, below the base path, of the route that judges a wheel in JavaScript.
const tryPath = "/api/try"

// Limits of tryPath.
const (
	TryRuns  = 20               // random workloads; the command try has 200
	TriesMax = 2                // wheels that are judged at a time
	TryWait  = 30 * time.Second // for a verdict
	tryBody  = 4 * recorded.SourceMax
)

// tried is the answer: the result, and the run of the case with the first fault, in which the oracle is beside the wheel.
type tried struct {
	*own.Result
	First int    `json:"first"`         // index in Groups of the first group with a fault; −1 if there is none
	Run   string `json:"run,omitempty"` // digest of the run; "" if the wheel does not get to its end
	Tick  int64  `json:"tick"`          // tick of the fault in it
}

// try serves tryPath. The body is {"source", "slots", "levels"}. Everything that is tried is the same for each request.
func (s *Server) try(c echo.Context) error {
	if s.judge == nil {
		return engine.ErrOwnRefused
	}
	body := http.MaxBytesReader(c.Response(), c.Request().Body, tryBody)
	var given struct {
		Source        string `json:"source"`
		Slots, Levels int
	}
	if err := json.NewDecoder(body).Decode(&given); err != nil {
		return texts.Errorf(texts.Invalid, "", "the body is not %s", `{"source": "…", "slots": 8, "levels": 3}`)
	}
	t := &own.Trial{Name: "wheel.js", Source: given.Source, Exam: own.Exam{Options: own.Options{Params: own.Params{Slots: given.Slots, Levels: given.Levels}, Runs: TryRuns}}}
	if err := t.Check(); err != nil {
		return texts.Errorf(texts.Invalid, "", "%s", err.Error())
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(TryWait + requestWait))
	ctx, cancel := context.WithTimeout(c.Request().Context(), TryWait)
	defer cancel()
	turn, done, err := s.answers.Work(ctx, 0)
	if err != nil {
		return err
	}
	defer done()
	r, err := s.judge(turn, t)
	if err != nil {
		return err
	}
	done() // the run is opened without the turn
	answer := tried{Result: r, First: -1}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Fault != nil {
			answer.First, answer.Tick = i, g.Tick()
			answer.Run = s.openCase(ctx, g, t)
			break
		}
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, answer)
}

// openCase opens the run of the case of g and returns its digest, or "" if the wheel crashes in it.
func (s *Server) openCase(ctx context.Context, g *own.GroupResult, t *own.Trial) string {
	p, err := program.Load(g.Scenario(t.Lane()))
	if err != nil {
		return ""
	}
	run, err := s.library.Store.Open(ctx, p)
	if err != nil {
		return ""
	}
	return run.Digest()
}
