package view

// Limits of what a page shows.
const (
	MinutesShownMax = 60  // maximum number of rows in the table of minutes with tasks on the worker page
	WorkersShownMax = 100 // maximum number of workers on the worker page
)
