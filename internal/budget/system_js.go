package budget

// pageBytes is the default memory budget, in bytes, of the engine in a browser page, which has at most 4 GB
// of memory. For a run that needs more than 1 GB of it, the page asks the user first.
const pageBytes = 2 << 30

// Default returns the default memory budget, in bytes, of the engine in a browser page.
func Default() int64 { return pageBytes }
