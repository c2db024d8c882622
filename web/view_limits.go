package web

const (
	minutesShownMax = 60  // minutes of tasks on the worker page
	workersShownMax = 100 // workers on the worker page
)
