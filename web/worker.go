package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/templates"
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
		return "", deny(http.StatusNotFound, "wheel: %q is not one of the wheels of this server: %s", clip(name), strings.Join(s.tasks.names, ", "))
	}
	return name, nil
}

// workerPage serves /worker: a wheel on Redis, its workers and their figures.
func (s *Server) workerPage(c echo.Context) error {
	wheel, err := s.wheelOf(c)
	if err != nil {
		return err
	}
	p := templates.WorkerPage{Page: s.plainPage(s.language(c)), Redis: s.tasks.ask != nil, Wheel: wheel}
	if len(s.tasks.names) > 1 {
		p.Wheels = s.tasks.names
	}
	if p.Redis {
		figures, err := s.tasks.look(c.Request().Context(), wheel)
		if err != nil {
			p.Problem = err.Error()
		} else {
			showTasks(&p, &figures)
		}
	}
	return s.render(c, p.Lang, templates.WorkerView(p))
}

func showTasks(p *templates.WorkerPage, f *TaskFigures) {
	st := &f.Stats
	figure := func(key string, n int64) templates.WorkerFigure {
		return templates.WorkerFigure{Key: key, Value: strconv.FormatInt(n, 10), Warn: n > 0 && (key == "overdue" || key == "dead" || key == "dropped")}
	}
	late := func(key string, l *redis.Lateness, q float64) templates.WorkerFigure {
		value := "–"
		if ms := l.Quantile(q); ms > 0 {
			value = threeDigits(time.Duration(ms) * time.Millisecond).String()
		}
		return templates.WorkerFigure{Key: key, Value: value}
	}
	recent := recentLateness(f.Workers)
	p.States = []templates.WorkerFigure{figure("waiting", st.Waiting), figure("overdue", st.Overdue), figure("inflight", st.InFlight),
		figure("retrying", st.Retrying), figure("dead", st.Dead)}
	p.Recent = []templates.WorkerFigure{late("half", &recent, 0.5), late("most", &recent, 0.99)}
	p.Done = []templates.WorkerFigure{figure("done", st.Done), figure("retried", st.Retried), figure("lapsed", st.Lapsed),
		figure("removed", st.Removed), figure("dropped", st.Dropped), late("half", &st.Late, 0.5), late("most", &st.Late, 0.99)}
	p.Asked = time.UnixMilli(st.Now).UTC().Format(time.DateTime)
	p.Minutes = taskMinutes(st)
	p.More = st.MinutesAll - int64(len(p.Minutes))
	p.Workers = workerRows(f.Workers)
	p.MoreWorkers = int64(len(f.Workers) - len(p.Workers))
}

// threeDigits rounds a duration up to three significant digits.
func threeDigits(d time.Duration) time.Duration {
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return (d + step - 1) / step * step
}

// recentLateness returns the sum over all live workers.
func recentLateness(workers []redis.WorkerInfo) (sum redis.Lateness) {
	for i := range workers {
		if workers[i].Live() {
			sum.Add(&workers[i].Late)
		}
	}
	return sum
}

func workerRows(workers []redis.WorkerInfo) []templates.WorkerRow {
	workers = workers[:min(len(workers), workersShownMax)]
	rows := make([]templates.WorkerRow, len(workers))
	for i := range workers {
		w := &workers[i]
		rows[i] = templates.WorkerRow{Name: w.Host + " " + strconv.Itoa(w.PID), Live: w.Live(), Silent: w.Silent.Round(time.Second).String(),
			Started: w.Started.UTC().Format(time.DateTime), Running: w.Running, Concurrency: int64(w.Concurrency), Done: w.Done, Failed: w.Failed}
	}
	return rows
}

// taskMinutes returns the rows of the first minutes that have tasks, at most minutesShownMax.
func taskMinutes(st *redis.Stats) []templates.WorkerMinute {
	list := st.Minutes[:min(len(st.Minutes), minutesShownMax)]
	most := int64(1)
	for _, m := range list {
		most = max(most, m.Tasks)
	}
	rows := make([]templates.WorkerMinute, len(list))
	for i, m := range list {
		rows[i] = templates.WorkerMinute{Name: time.Unix(m.Minute*60, 0).UTC().Format("2006-01-02 15:04"),
			Tasks: m.Tasks, Share: max(1, 100*m.Tasks/most), Past: (m.Minute+1)*60_000 <= st.Now}
	}
	return rows
}
