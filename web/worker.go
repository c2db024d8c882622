package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// TaskFigures is what the worker page shows about a wheel on Redis.
type TaskFigures struct {
	Stats   redis.Stats
	Workers []redis.WorkerInfo // most recent heartbeat first
}

// TaskStats returns the figures of a wheel by its name. It may be called concurrently for different
// wheels, but not for the same one.
type TaskStats func(ctx context.Context, wheel string) (TaskFigures, error)

// taskWatches caches the figures of wheels on Redis for all clients.
type taskWatches struct {
	names   []string // of the wheels; the first is the default
	watches map[string]*taskWatch
	ask     TaskStats // nil: no Redis is named
}

// taskWatch caches the figures of a wheel, which it reads at most once a second.
type taskWatch struct {
	mu      sync.Mutex
	at      time.Time
	figures TaskFigures
	err     error
}

func newTaskWatches(ask TaskStats, wheels []string) *taskWatches {
	if len(wheels) == 0 {
		wheels = []string{redis.NameDefault}
	}
	w := &taskWatches{names: wheels, watches: map[string]*taskWatch{}, ask: ask}
	for _, name := range wheels {
		w.watches[name] = &taskWatch{}
	}
	return w
}

// look returns the figures of a wheel. It reads them again if they are older than tasksFresh.
func (w *taskWatches) look(ctx context.Context, wheel string) (TaskFigures, error) {
	t := w.watches[wheel]
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at.IsZero() || time.Since(t.at) > tasksFresh {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tasksWait)
		defer cancel()
		t.figures, t.err = w.ask(ctx, wheel)
		t.at = time.Now()
	}
	return t.figures, t.err
}

// wheelOf returns the wheel that a request names, or the first.
func (s *Server) wheelOf(c echo.Context) (string, error) {
	name := c.QueryParam("wheel")
	if name == "" {
		return s.tasks.names[0], nil
	}
	if s.tasks.watches[name] == nil {
		return "", deny(http.StatusNotFound, "wheel: %q is not one of the wheels of this server: %s", usererr.Clip(name), strings.Join(s.tasks.names, ", "))
	}
	return name, nil
}

// workerPage serves /worker: a wheel on Redis, its workers and their figures.
func (s *Server) workerPage(c echo.Context) error {
	wheel, err := s.wheelOf(c)
	if err != nil {
		return err
	}
	p := templates.WorkerPage{Page: view.Plain(s.base, s.language(c)), Redis: s.tasks.ask != nil, Wheel: wheel}
	if len(s.tasks.names) > 1 {
		p.Wheels = s.tasks.names
	}
	if p.Redis {
		figures, err := s.tasks.look(c.Request().Context(), wheel)
		if err != nil {
			p.Problem = err.Error()
		} else {
			view.ShowTasks(&p, &figures.Stats, figures.Workers)
		}
	}
	return s.render(c, p.Lang, templates.WorkerView(p))
}
