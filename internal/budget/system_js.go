package budget

// pageBytes is the budget of a page in a browser: a page has 4 GB of memory at most, which Go's collector
// fills to twice what is used, and the user's machine has other work.
const pageBytes = 1 << 30

// Default returns the number of bytes that the engine of a page uses by default.
func Default() int64 { return pageBytes }
