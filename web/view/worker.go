package view

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// ShowTasks sets the fields of p from st, the statistics of a wheel on Redis, and from its workers, which must
// be sorted by their last heartbeat, most recent first.
func ShowTasks(p *templates.WorkerPage, st *rediswheel.Stats, workers []rediswheel.WorkerInfo) {
	figure := func(key string, n int64) templates.WorkerFigure {
		return templates.WorkerFigure{Key: key, Value: strconv.FormatInt(n, 10), Warn: n > 0 && (key == "overdue" || key == "dead" || key == "dropped")}
	}
	late := func(key string, l *rediswheel.Lateness, q float64) templates.WorkerFigure {
		value := "–"
		if ms := l.Quantile(q); ms > 0 {
			value = threeDigits(time.Duration(ms) * time.Millisecond).String()
		}
		return templates.WorkerFigure{Key: key, Value: value}
	}
	recent := RecentLateness(workers)
	p.States = []templates.WorkerFigure{figure("waiting", st.Waiting), figure("overdue", st.Overdue), figure("inflight", st.InFlight),
		figure("retrying", st.Retrying), figure("dead", st.Dead)}
	p.Recent = []templates.WorkerFigure{late("half", &recent, 0.5), late("most", &recent, 0.99)}
	p.Done = []templates.WorkerFigure{figure("done", st.Delivered()), figure("retried", st.Retried), figure("lapsed", st.Lapsed),
		figure("removed", st.Removed), figure("dropped", st.Dropped), late("half", &st.Late, 0.5), late("most", &st.Late, 0.99)}
	p.Asked = time.UnixMilli(st.Now).UTC().Format(time.DateTime)
	p.Minutes = taskMinutes(st)
	p.More = st.MinutesAll - int64(len(p.Minutes))
	p.Workers = workerRows(workers)
	p.MoreWorkers = int64(len(workers) - len(p.Workers))
}

// threeDigits rounds d up to three significant digits.
func threeDigits(d time.Duration) time.Duration {
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return (d + step - 1) / step * step
}

// RecentLateness returns the sum of the recent lateness histograms of all live workers.
func RecentLateness(workers []rediswheel.WorkerInfo) (sum rediswheel.Lateness) {
	for i := range workers {
		if workers[i].Live() {
			sum.Add(&workers[i].Late)
		}
	}
	return sum
}

// workerRows returns the rows of the first WorkersShownMax workers.
func workerRows(workers []rediswheel.WorkerInfo) []templates.WorkerRow {
	workers = workers[:min(len(workers), WorkersShownMax)]
	rows := make([]templates.WorkerRow, len(workers))
	for i := range workers {
		w := &workers[i]
		rows[i] = templates.WorkerRow{Name: w.Host + " " + strconv.Itoa(w.PID), Live: w.Live(), Silent: w.SinceHeartbeat.Round(time.Second).String(),
			Started: w.Started.UTC().Format(time.DateTime), Running: w.Running, Concurrency: int64(w.Concurrency), Done: w.Done, Failed: w.Failed}
	}
	return rows
}

// taskMinutes returns the rows of the table of minutes on the worker page: one for each of the first MinutesShownMax
// minutes in which tasks are due.
func taskMinutes(st *rediswheel.Stats) []templates.WorkerMinute {
	list := st.Minutes[:min(len(st.Minutes), MinutesShownMax)]
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

// TaskRow returns the row of a task in the list of tasks.
func TaskRow(i *rediswheel.Info) templates.TaskRow {
	method := i.Task.Method
	if i.Task.Handler == "" && i.Err == nil {
		method = cmp.Or(method, "POST")
	}
	calls := strings.TrimSpace(method + " " + cmp.Or(rediswheel.RedactURL(i.Task.URL), i.Task.Handler))
	if i.Err != nil {
		calls = i.Err.Error()
	}
	return templates.TaskRow{Key: i.Key, Milli: i.At.UnixMilli(), Encoded: base64.RawURLEncoding.EncodeToString([]byte(i.Key)),
		At: i.At.Format(time.DateTime), Calls: calls, Reason: i.Reason, Tries: int64(i.Attempts)}
}
