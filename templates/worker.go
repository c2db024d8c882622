package templates

// WorkerPage shows a wheel on Redis and what its workers have done.
type WorkerPage struct {
	Page
	Problem string // why nothing can be shown: one line; "" where it can
	Redis   bool   // a Redis was named when the server was started
	States  []WorkerFigure
	Done    []WorkerFigure
	Minutes []WorkerMinute
	More    int64 // minutes that are not listed
	Asked   string
}

// WorkerFigure is a number with its name: what follows "worker.figure." in the texts.
type WorkerFigure struct {
	Key   string
	Value string
}

// WorkerMinute is a slice that is not empty.
type WorkerMinute struct {
	Name  string // "2026-11-21 15:04", UTC
	Tasks int64
	Share int64 // of the fullest, percent
	Past  bool
}
