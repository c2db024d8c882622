package view

// Limits of what a page shows.
const (
	MinutesShownMax = 60  // minutes of tasks on the worker page
	WorkersShownMax = 100 // workers on the worker page
)
