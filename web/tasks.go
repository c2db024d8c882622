package web

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/pages"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// OpenWheel is a function that returns the named wheel on Redis, for the page that lists and changes its tasks. The
// server calls it concurrently.
type OpenWheel func(ctx context.Context, wheel string) (*rediswheel.Wheel, error)

// tasksPath is the path of the page that lists and changes tasks.
const tasksPath = "/worker/tasks"

// changesTasks reports whether the server lists and changes tasks: it has a Redis, and either every request has the
// token, or only this machine can reach the server, which has no other hosts.
func (s *Server) changesTasks() bool {
	return s.openWheel != nil && (s.token != nil || s.ln != nil && s.OnLoopback() && !s.hostAllow)
}

// listedWheel returns the wheel that the parameter "wheel" selects and its name, or an error if the server may not list
// tasks.
func (s *Server) listedWheel(ctx context.Context, c echo.Context) (*rediswheel.Wheel, string, error) {
	if !s.changesTasks() {
		return nil, "", texts.Errorf(http.StatusNotFound, "", "tasks are listed by a server with --redis, and with --token-file or on a loopback address without --host-allow")
	}
	name, err := s.wheelOf(c)
	if err != nil {
		return nil, "", err
	}
	w, err := s.openWheel(ctx, name)
	if err != nil {
		return nil, "", echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	return w, name, nil
}

// tasksPage serves the list of tasks in one state.
func (s *Server) tasksPage(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), tasksWait)
	defer cancel()
	w, name, err := s.listedWheel(ctx, c)
	if err != nil {
		return err
	}
	p := templates.TasksPage{Page: view.Plain(view.Options{Base: s.base}, s.language(c)), Wheel: name, State: c.QueryParam("state"), Prefix: c.QueryParam("prefix")}
	q := rediswheel.Query{State: rediswheel.State(p.State), Match: p.Prefix + "*", View: rediswheel.ViewRow, Page: tasksShown + 1}
	if q.State == "" {
		q.State, p.State = rediswheel.Dead, string(rediswheel.Dead)
	}
	if !slices.Contains(rediswheel.States, q.State) || len(p.Prefix) > rediswheel.KeyMax {
		return texts.Errorf(http.StatusBadRequest, "", "state: %q, expected waiting, in-flight, retrying or dead, and a prefix of at most %d bytes", texts.Clip(p.State), rediswheel.KeyMax)
	}
	if at, key, ok := strings.Cut(c.QueryParam("after"), " "); ok {
		ms, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return texts.Errorf(http.StatusBadRequest, "", "after: %q, expected what this page links to", texts.Clip(at))
		}
		q.From, q.After = time.UnixMilli(ms), key
	}
	for info, err := range w.Tasks(ctx, q) {
		if err != nil {
			return echo.NewHTTPError(http.StatusBadGateway, err.Error())
		}
		if len(p.Tasks) == tasksShown {
			last := p.Tasks[tasksShown-1]
			p.After = strconv.FormatInt(last.Milli, 10) + " " + last.Key
			break
		}
		p.Tasks = append(p.Tasks, view.TaskRow(&info))
	}
	// With the policy of other pages a browser would send its forms with the origin "null", which is refused.
	c.Response().Header().Set("Referrer-Policy", "same-origin")
	d := &pages.Document{Lang: p.Lang}
	err = s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
		d.HTML, err = pages.Draw(ctx, templates.TasksView(p))
		return err
	})
	if err != nil {
		return err
	}
	return s.sendPage(c, d)
}

// changeTask retries, runs or removes one task, and then shows the list again. The request must come from a page of this
// server: besides the checks of guard, it needs a header by which a browser says so.
func (s *Server) changeTask(c echo.Context) error {
	r := c.Request()
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" {
		return texts.Errorf(http.StatusForbidden, "", "the request has neither Origin nor Sec-Fetch-Site; tasks are changed by the page or by wheelscope task")
	}
	ctx, cancel := context.WithTimeout(r.Context(), tasksWait)
	defer cancel()
	w, name, err := s.listedWheel(ctx, c)
	if err != nil {
		return err
	}
	key, err := base64.RawURLEncoding.DecodeString(c.FormValue("key"))
	if err != nil {
		return texts.Errorf(http.StatusBadRequest, "", "key: expected a key in base64")
	}
	change := map[string]func(context.Context, string) (bool, error){"retry": w.RetryTask, "run": w.RunNow, "remove": w.RemoveTask}[c.FormValue("do")]
	if change == nil {
		return texts.Errorf(http.StatusBadRequest, "", "do: %q, expected retry, run or remove", texts.Clip(c.FormValue("do")))
	}
	ok, err := change(ctx, string(key))
	switch {
	case err != nil:
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	case !ok:
		return texts.Errorf(http.StatusConflict, "", "the task %q is not there any more, or in another state", texts.Clip(string(key)))
	}
	back := url.Values{"lang": {s.language(c)}, "wheel": {name}, "state": {c.FormValue("state")}, "prefix": {c.FormValue("prefix")}}
	return c.Redirect(http.StatusSeeOther, s.base+tasksPath+"?"+back.Encode())
}
