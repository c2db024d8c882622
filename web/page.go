package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/locate"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/web/view"
	"golang.org/x/text/language"
)

// page shows the scenario and the position given in the URL. If they do not exist, the page shows
// the default scenario or the start of the run instead, and the error.
func (s *Server) page(c echo.Context) error {
	var v templates.Page
	var problem *pageProblem
	var b bytes.Buffer // rendered before anything is sent, so that an error can still be answered
	err := s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
		if v, problem, err = s.look(ctx, c.QueryParams(), s.language(c)); err != nil {
			return err
		}
		if err := templates.PageView(v).Render(ctx, fairqueue.Writer(ctx, &b)); err != nil {
			return fmt.Errorf("rendering the page: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	code := http.StatusOK
	if problem != nil {
		code = problem.code
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store") // it carries a nonce
	h.Set("Content-Language", v.Lang)
	h.Add("Vary", "Accept-Language")
	if v.Embed {
		frameable(h)
	}
	return s.sendHTML(c, code, b.Bytes())
}

// pageProblem is the reason why a page does not show what its URL asks for.
type pageProblem struct {
	code int
	err  error
}

// look returns the page for the query q of a URL, and the reason if it shows something else.
func (s *Server) look(ctx context.Context, q url.Values, lang string) (templates.Page, *pageProblem, error) {
	run, at, problem, err := s.find(ctx, q)
	if err != nil {
		return templates.Page{}, nil, err
	}
	snap, err := at.Snapshot(ctx, run, templates.TimersShown)
	if err != nil {
		return templates.Page{}, nil, err
	}
	v := view.Lab(view.Options{Base: s.base, Given: s.library.Given, Worker: s.tasks.ask != nil}, run, snap, lang)
	v.Embed, v.Bare = q.Get("embed") == "1", q.Get("controls") == "0"
	v.Step, v.Steps = locate.StepNumber(ctx, run, snap.Seq)
	if problem != nil {
		v.Problem = usererr.Describe(problem.err, lang).Error()
	}
	v.Boot = boot{
		Socket: s.socketPath(run.Program(), at, lang),
		Base:   s.base, Lang: lang, Limits: protocol.Limits(), Custom: !s.library.IsBuiltin(run.Program()),
	}
	return v, problem, nil
}

// boot is the initial data of the page's scripts.
type boot struct {
	Socket string           `json:"socket"` // URL of a WebSocket at the page's position
	Base   string           `json:"base"`
	Lang   string           `json:"lang"`
	Limits map[string]int64 `json:"limits"`
	Custom bool             `json:"custom"` // the scenario is the file of the command line
}

// find returns the run and the position that q names. If it replaces one, problem says why.
func (s *Server) find(ctx context.Context, q url.Values) (*sim.Run, locate.Position, *pageProblem, error) {
	var problem *pageProblem
	if q.Get("mine") != "" {
		q = nil // a position in the user's own run, which the browser keeps and its scripts open again
	}
	p, err := s.library.Program(q.Get("scenario"))
	var missing locate.NotFoundError
	if errors.As(err, &missing) {
		problem = &pageProblem{http.StatusNotFound, err}
		p, err = s.library.Program("")
		q = nil
	}
	if err != nil {
		return nil, locate.Start, nil, err
	}
	run, err := s.library.Store.Open(ctx, p)
	if err != nil {
		return nil, locate.Start, nil, err
	}
	s.library.Store.Look(ctx, run)
	at, misplaced, err := s.locate(ctx, run, q)
	if problem == nil {
		problem = misplaced
	}
	return run, at, problem, err
}

// locate returns the position in run that q names, or the start of the run and the reason.
func (s *Server) locate(ctx context.Context, run *sim.Run, q url.Values) (locate.Position, *pageProblem, error) {
	at, err := locate.Parse(q)
	if err == nil {
		at, err = at.Resolve(ctx, run)
	}
	if err != nil && ctx.Err() != nil {
		return locate.Start, nil, api.NotComputed() // the start of the run could not be rendered in time either
	}
	if err != nil {
		return locate.Start, &pageProblem{http.StatusBadRequest, err}, nil
	}
	return at, nil, nil
}

// socketPath returns the URL of a WebSocket at a page's position.
func (s *Server) socketPath(p *program.Program, at locate.Position, lang string) string {
	q := url.Values{"lang": {lang}}
	if p != s.library.Given {
		q.Set("scenario", p.Scenario.Name)
	}
	if at.Tick >= 0 {
		q.Set("t", strconv.FormatInt(at.Tick, 10))
	}
	if at.Seq >= 0 {
		q.Set("seq", strconv.FormatInt(at.Seq, 10))
	}
	return s.base + "/ws?" + q.Encode()
}

// languages are the languages of the page's texts; the first is the default.
var languages = language.NewMatcher([]language.Tag{language.English, language.SimplifiedChinese})

// language returns the language of a request: the URL's lang, or else the one that the browser
// prefers.
func (s *Server) language(c echo.Context) string {
	switch lang := c.QueryParam("lang"); {
	case lang == "en" || lang == "zh":
		return lang
	case strings.HasPrefix(lang, "zh-"):
		return "zh"
	}
	_, i := language.MatchStrings(languages, c.Request().Header.Get("Accept-Language"))
	return [...]string{"en", "zh"}[i]
}
