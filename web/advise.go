package web

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// Timing runs wheelscope advise in a process of its own, with flags and the workload as a scenario, if there is one, and
// returns its JSON. If ctx is done, it ends the process.
type Timing func(ctx context.Context, flags []string, scenario []byte) ([]byte, error)

// advisePath is the path, below the base path, of the route that times structures.
const advisePath = "/api/advise"

// Limits of advisePath.
const (
	AdvisesMax = 1               // advices at a time: two would disturb each other
	AdviseWait = 3 * time.Minute // for an advice
)

// advise serves advisePath. The query is that of /api/choose. The advice is cancelled when the client disconnects.
func (s *Server) advise(c echo.Context) error {
	if s.timing == nil {
		return texts.Errorf(http.StatusForbidden, "", "this server times nothing; run wheelscope advise, or wheelscope serve on a machine of your own")
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(AdviseWait + requestWait))
	ctx, cancel := context.WithTimeout(c.Request().Context(), AdviseWait)
	defer cancel()
	choice, err := s.answers.ChooseQueryOf(ctx, c.QueryParams())
	if err != nil {
		return err
	}
	var scenario []byte
	if choice.Run != nil {
		scenario = choice.Run.Scenario.AppendFile(nil)
	}
	report, err := s.timing(ctx, choice.Flags(), scenario)
	if err != nil {
		return texts.Errorf(texts.Unprocessable, "", "%s", err.Error())
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSONBlob(http.StatusOK, report)
}
