package templates

import (
	"net/url"

	"github.com/a-h/templ"
)

// TasksPage is the data of the page that lists the tasks of a wheel on Redis in one state.
type TasksPage struct {
	Page
	Wheel  string
	State  string // waiting, in-flight, retrying or dead
	Prefix string // beginning of the keys
	Tasks  []TaskRow
	After  string // parameter "after" of the next page; "" if there is none
}

// TaskRow is a task in the list.
type TaskRow struct {
	Key     string
	Milli   int64  // time of the task, a Unix time in milliseconds
	Encoded string // key in base64
	At      string // the time of the task in UTC
	Calls   string // what is called, without credentials
	Reason  string
	Tries   int64
}

// taskStates lists the states by their names, and taskStateTexts the keys of their texts.
var taskStates = [...]string{"waiting", "in-flight", "retrying", "dead"}

var taskStateTexts = map[string]string{"waiting": "worker.figure.waiting", "in-flight": "worker.figure.inflight", "retrying": "worker.figure.retrying", "dead": "worker.figure.dead"}

// taskColumns lists the text keys of the column headings.
var taskColumns = [...]string{"worker.task.key", "worker.task.at", "worker.task.tries", "worker.task.calls", "worker.task.reason"}

// actions returns what can be done with a task of the page: names of the texts "worker.do." + name.
func (p *TasksPage) actions() []string {
	switch p.State {
	case "waiting":
		return []string{"run", "remove"}
	case "in-flight":
		return []string{"remove"}
	}
	return []string{"retry", "run", "remove"}
}

// address returns the URL of the page with another state, and beginning after the given position.
func (p *TasksPage) address(lang, state, after string) templ.SafeURL {
	query := url.Values{"lang": {lang}, "wheel": {p.Wheel}, "state": {state}}
	if p.Prefix != "" {
		query.Set("prefix", p.Prefix)
	}
	if after != "" {
		query.Set("after", after)
	}
	return templ.SafeURL(p.Base + "/worker/tasks?" + query.Encode())
}
