package web

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// TaskStats counts a wheel on Redis. It may be called by several goroutines, but not at
// the same time.
type TaskStats func(ctx context.Context) (redis.Stats, error)

// taskWatch asks Redis for all who look, once a second at most.
type taskWatch struct {
	ask TaskStats

	mu    sync.Mutex
	at    time.Time
	stats redis.Stats
	err   error
}

func newTaskWatch(ask TaskStats) *taskWatch { return &taskWatch{ask: ask} }

// look gives the latest answer, asking anew where it is old.
func (w *taskWatch) look(ctx context.Context) (redis.Stats, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at.IsZero() || time.Since(w.at) > tasksFresh {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tasksWait)
		defer cancel()
		w.stats, w.err = w.ask(ctx)
		w.at = time.Now()
	}
	return w.stats, w.err
}

// workerPage is the page /worker: the wheel on Redis and what its workers did.
func (s *Server) workerPage(c echo.Context) error {
	p := templates.WorkerPage{Page: s.plainPage(s.language(c)), Redis: s.tasks.ask != nil}
	if p.Redis {
		stats, err := s.tasks.look(c.Request().Context())
		if err != nil {
			p.Problem = err.Error()
		} else {
			showTasks(&p, &stats)
		}
	}
	return s.render(c, p.Lang, templates.WorkerView(p))
}

func showTasks(p *templates.WorkerPage, st *redis.Stats) {
	figure := func(key string, n int64) templates.WorkerFigure {
		return templates.WorkerFigure{Key: key, Value: strconv.FormatInt(n, 10)}
	}
	late := func(key string, q float64) templates.WorkerFigure {
		value := "–"
		if ms := st.Late.Quantile(q); ms > 0 {
			value = (time.Duration(ms) * time.Millisecond).String()
		}
		return templates.WorkerFigure{Key: key, Value: value}
	}
	p.States = []templates.WorkerFigure{figure("waiting", st.Waiting), figure("inflight", st.InFlight),
		figure("retrying", st.Retrying), figure("dead", st.Dead)}
	p.Done = []templates.WorkerFigure{figure("done", st.Done), figure("retried", st.Retried), figure("lapsed", st.Lapsed),
		figure("removed", st.Removed), late("half", 0.5), late("most", 0.99)}
	p.Asked = time.UnixMilli(st.Now).UTC().Format(time.DateTime)
	p.Minutes = taskMinutes(st)
	p.More = st.MinutesAll - int64(len(p.Minutes))
}

// taskMinutes lists the first slices that are not empty.
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
