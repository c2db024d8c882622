package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/redis"
)

// apiLateness is how late tasks were called: upper bounds in ms, at most twice the true value.
type apiLateness struct {
	P50   int64 `json:"p50_ms"`
	P99   int64 `json:"p99_ms"`
	Tasks int64 `json:"tasks"`
}

// apiWorker is a worker according to its heartbeats.
type apiWorker struct {
	ID          string    `json:"id"`
	Host        string    `json:"host"`
	PID         int       `json:"pid"`
	Live        bool      `json:"live"`
	Started     time.Time `json:"started"`
	Heard       time.Time `json:"heard"`
	Concurrency int       `json:"concurrency"`
	Running     int64     `json:"running"`
	Calls       int64     `json:"calls"`
	Delivered   int64     `json:"delivered"`
	Failed      int64     `json:"failed"`
}

// apiTasks is the answer of /api/worker.
type apiTasks struct {
	Wheel     string      `json:"wheel"`
	Wheels    []string    `json:"wheels"`
	Now       time.Time   `json:"now"` // by Redis's clock
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

// workerFigures sends the content of /worker as JSON.
func (s *Server) workerFigures(c echo.Context) error {
	if s.tasks.ask == nil {
		return deny(http.StatusNotFound, "no Redis was named when this server was started (serve --redis ADDR)")
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
		Delivered: st.Done, Retried: st.Retried, Died: st.Buried, Revived: st.Revived, Dropped: st.Dropped, Stale: st.Stale, Lapsed: st.Lapsed,
		Late: newAPILateness(&st.Late), Recent: newAPILateness(&recent), Workers: []apiWorker{}}
	for i := range f.Workers {
		w := &f.Workers[i]
		answer.Workers = append(answer.Workers, apiWorker{ID: w.ID, Host: w.Host, PID: w.PID, Live: w.Live(), Started: w.Started, Heard: w.Heard,
			Concurrency: w.Concurrency, Running: w.Running, Calls: w.Calls, Delivered: w.Done, Failed: w.Failed})
	}
	return c.JSON(http.StatusOK, answer)
}

func newAPILateness(l *redis.Lateness) apiLateness {
	a := apiLateness{P50: l.Quantile(0.5), P99: l.Quantile(0.99)}
	for _, n := range l {
		a.Tasks += n
	}
	return a
}
