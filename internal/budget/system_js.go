package budget

// pageBytes is the budget of a page in a browser: WebAssembly has 4 GB of memory at most.
const pageBytes = 2 << 30

// Default returns the number of bytes that the engine of a page uses by default.
func Default() int64 { return pageBytes }
