package budget

// pageBytes is the default memory budget, in bytes, of the engine that runs in a browser page. It is half
// of the memory that WebAssembly can address.
const pageBytes = 2 << 30

// Default returns the default memory budget, in bytes, of the engine in a browser page.
func Default() int64 { return pageBytes }
