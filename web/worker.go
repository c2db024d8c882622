package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/pages"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// TaskFigures holds what the worker page shows about a wheel on Redis.
type TaskFigures struct {
	Stats   rediswheel.Stats
	Workers []rediswheel.WorkerInfo // workers of the wheel, most recent heartbeat first
}

// TaskStats is a function that reads the figures of the named wheel from Redis. The server calls it concurrently for
// different wheels, but not for the same one.
type TaskStats func(ctx context.Context, wheel string) (TaskFigures, error)

// taskWatches caches the figures of the wheels on Redis, for all clients.
type taskWatches struct {
	names   []string              // names of the wheels; the first is the default
	watches map[string]*taskWatch // caches by wheel name; the map is never modified after creation
	ask     TaskStats             // reads the figures of a wheel; nil if the server has no Redis
}

// taskWatch caches the figures of one wheel for up to tasksFresh.
type taskWatch struct {
	mu      sync.Mutex
	at      time.Time // time at which the figures were read; zero if never
	figures TaskFigures
	err     error // error that occurred when the figures were last read; nil if none
}

func newTaskWatches(ask TaskStats, wheels []string) *taskWatches {
	if len(wheels) == 0 {
		wheels = []string{rediswheel.NameDefault}
	}
	w := &taskWatches{names: wheels, watches: map[string]*taskWatch{}, ask: ask}
	for _, name := range wheels {
		w.watches[name] = &taskWatch{}
	}
	return w
}

// look returns the figures of the named wheel, which must be in w.names. It reads them again if they are older
// than tasksFresh.
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

// wheelOf returns the name of the wheel that the query parameter "wheel" selects, or of the first wheel if the
// parameter is "". It returns an error if the server has no wheel of that name.
func (s *Server) wheelOf(c echo.Context) (string, error) {
	name := c.QueryParam("wheel")
	if name == "" {
		return s.tasks.names[0], nil
	}
	if s.tasks.watches[name] == nil {
		return "", texts.Errorf(http.StatusNotFound, "", "wheel: %q is not one of the wheels of this server: %s", texts.Clip(name), strings.Join(s.tasks.names, ", "))
	}
	return name, nil
}

// workerPage serves /worker, the page about a wheel on Redis and its workers.
func (s *Server) workerPage(c echo.Context) error {
	wheel, err := s.wheelOf(c)
	if err != nil {
		return err
	}
	p := templates.WorkerPage{Page: view.Plain(view.Options{Base: s.base}, s.language(c)), Redis: s.tasks.ask != nil, Lists: s.changesTasks(), Wheel: wheel}
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
	d := &pages.Document{Lang: p.Lang}
	err = s.inTurn(c.Request().Context(), func(ctx context.Context) (err error) {
		d.HTML, err = pages.Draw(ctx, templates.WorkerView(p))
		return err
	})
	if err != nil {
		return err
	}
	return s.sendPage(c, d)
}

// apiLateness summarizes the lateness of deliveries. P50 and P99 are upper bounds, in milliseconds, on the 50th and
// the 99th percentile; each is at most twice the true value, or 1 if the true value is less than 1 ms.
type apiLateness struct {
	P50   int64 `json:"p50_ms"`
	P99   int64 `json:"p99_ms"`
	Tasks int64 `json:"tasks"` // number of deliveries that are summarized
}

// apiWorker is the state of a worker as reported by its heartbeats, which it regularly writes to Redis. Running is the
// number of callbacks that are running, of at most Concurrency. Calls, Delivered and Failed are the numbers of all
// calls, successes and failures since the worker started.
type apiWorker struct {
	ID          string    `json:"id"`
	Host        string    `json:"host"`
	PID         int       `json:"pid"`
	Live        bool      `json:"live"`
	Started     time.Time `json:"started"`
	Heard       time.Time `json:"heard"` // time of the last heartbeat
	Concurrency int       `json:"concurrency"`
	Running     int64     `json:"running"`
	Calls       int64     `json:"calls"`
	Delivered   int64     `json:"delivered"`
	Failed      int64     `json:"failed"`
}

// apiTasks is the answer to a request for /api/worker: the numbers of tasks on a wheel, as in rediswheel.Stats, the
// lateness of all deliveries and of recent ones, and the workers of the wheel.
type apiTasks struct {
	Wheel     string      `json:"wheel"`
	Wheels    []string    `json:"wheels"`
	Now       time.Time   `json:"now"` // current time on the Redis server
	Waiting   int64       `json:"waiting"`
	Overdue   int64       `json:"overdue"`
	InFlight  int64       `json:"in_flight"`
	Retrying  int64       `json:"retrying"`
	Dead      int64       `json:"dead"`
	Added     int64       `json:"added"`
	Replaced  int64       `json:"replaced"`
	Removed   int64       `json:"removed"`
	Delivered int64       `json:"delivered"`
	Retried   int64       `json:"retried"`
	Died      int64       `json:"died"`
	Revived   int64       `json:"revived"`
	Dropped   int64       `json:"dropped"`
	Stale     int64       `json:"stale"`
	Lapsed    int64       `json:"lapsed"`
	Late      apiLateness `json:"lateness"`
	Recent    apiLateness `json:"lateness_recent"`
	Workers   []apiWorker `json:"workers"`
}

// workerFigures serves /api/worker, the content of the worker page as JSON.
func (s *Server) workerFigures(c echo.Context) error {
	if s.tasks.ask == nil {
		return texts.Errorf(http.StatusNotFound, "", "this server was started without the address of a Redis (serve --redis ADDR)")
	}
	wheel, err := s.wheelOf(c)
	if err != nil {
		return err
	}
	f, err := s.tasks.look(c.Request().Context(), wheel)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	st, recent := &f.Stats, view.RecentLateness(f.Workers)
	answer := apiTasks{Wheel: wheel, Wheels: s.tasks.names, Now: time.UnixMilli(st.Now).UTC(), Waiting: st.Waiting, Overdue: st.Overdue,
		InFlight: st.InFlight, Retrying: st.Retrying, Dead: st.Dead, Added: st.Added, Replaced: st.Replaced, Removed: st.Removed,
		Delivered: st.Delivered(), Retried: st.Retried, Died: st.MarkedDead, Revived: st.RetriedDead, Dropped: st.Dropped, Stale: st.Stale, Lapsed: st.Lapsed,
		Late: newAPILateness(&st.Late), Recent: newAPILateness(&recent), Workers: []apiWorker{}}
	for i := range f.Workers {
		w := &f.Workers[i]
		answer.Workers = append(answer.Workers, apiWorker{ID: w.ID, Host: w.Host, PID: w.PID, Live: w.Live(), Started: w.Started, Heard: w.LastHeartbeat,
			Concurrency: w.Concurrency, Running: w.Running, Calls: w.Calls, Delivered: w.Done, Failed: w.Failed})
	}
	return c.JSON(http.StatusOK, answer)
}

func newAPILateness(l *rediswheel.Lateness) apiLateness {
	a := apiLateness{P50: l.Quantile(0.5), P99: l.Quantile(0.99)}
	for _, n := range l {
		a.Tasks += n
	}
	return a
}
