package budget

// pageBytes is the size in bytes of the budget in a browser, where a page has at most 4 GB of memory.
// Runs of more than 1 GB need the user's consent.
const pageBytes = 2 << 30

// Default returns the default size in bytes of the budget of the engine in a page.
func Default() int64 { return pageBytes }
