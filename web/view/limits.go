package view

// Limits of what a page shows.
const (
	MinutesShownMax = 60  // maximum number of minutes on the worker page
	WorkersShownMax = 100 // maximum number of workers on the worker page
)
