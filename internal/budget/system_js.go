package budget

// pageBytes is the budget of runs in a browser, whose pages have 4 GB of memory at most. The user is asked
// before a run of more than 1 GB.
const pageBytes = 2 << 30

// Default returns the number of bytes that the engine of a page uses by default.
func Default() int64 { return pageBytes }
