package templates

import (
	"net/url"

	"github.com/a-h/templ"
)

// WorkerPage is the data of the page about a wheel on Redis and its workers.
type WorkerPage struct {
	Page
	Problem string         // one-line reason why no figures can be shown; "" if they can be
	Redis   bool           // whether the server was started with the address of a Redis server
	Lists   bool           // whether the page links to the list of tasks
	Wheel   string         // name of the wheel
	Wheels  []string       // names of all wheels, if there are several
	States  []WorkerFigure // numbers of tasks by state
	Recent  []WorkerFigure // how late tasks were in the last few minutes
	Done    []WorkerFigure // numbers and lateness of tasks since the wheel was created
	Minutes []WorkerMinute
	More    int64 // number of unlisted minutes that have tasks; a lower bound if the wheel has several shards
	Workers []WorkerRow
	Asked   string // time at which the figures were read from Redis, in UTC, such as "2026-11-21 15:04:05"

	MoreWorkers int64 // number of workers that are not listed
}

// WorkerRow is the state of a worker as reported by its heartbeats.
type WorkerRow struct {
	Name        string // host and process of the worker
	Live        bool
	Silent      string // time since the last heartbeat
	Started     string // time at which the worker started, in UTC, such as "2026-11-21 15:04:05"
	Running     int64
	Concurrency int64
	Done        int64
	Failed      int64
}

// WorkerFigure is a number on the worker page. Its name is the text with the key "worker.figure." + Key.
type WorkerFigure struct {
	Key   string
	Value string
	Warn  bool // whether the number is highlighted as a warning
}

// WorkerMinute is a minute that has tasks.
type WorkerMinute struct {
	Name  string // start of the minute in UTC, such as "2026-11-21 15:04"
	Tasks int64
	Share int64 // number of tasks, as a percentage of the number in the fullest minute listed, at least 1
	Past  bool  // whether the minute is over
}

// workerColumns lists the text keys of the column headings in the table of workers.
var workerColumns = [...]string{"worker.worker", "worker.started", "worker.heard", "worker.running", "worker.done", "worker.failed"}

// list returns the URL of the list of tasks.
func (p *WorkerPage) list() templ.SafeURL {
	return templ.SafeURL(p.Base + "/worker/tasks?" + url.Values{"lang": {p.Lang}, "wheel": {p.Wheel}}.Encode())
}

// address returns the URL of the page of the named wheel in the language lang.
func (p *WorkerPage) address(lang, wheel string) templ.SafeURL {
	query := url.Values{"lang": {lang}}
	if len(p.Wheels) > 0 {
		query.Set("wheel", wheel)
	}
	return templ.SafeURL(p.Base + "/worker?" + query.Encode())
}
