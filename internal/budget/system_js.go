package budget

// pageBytes is the budget of a page in a browser, which has 4 GB of memory at most. The engine of the site
// keeps what Go's collector has not freed within it, and asks the user before a run of more than 1 GB.
const pageBytes = 2 << 30

// Default returns the number of bytes that the engine of a page uses by default.
func Default() int64 { return pageBytes }
