// Package site writes the laboratory as a static site, for any server of files. Its pages are those of a
// server, rendered by web/pages. The answers of a server come from the engine instead: the same Go code,
// compiled for WebAssembly (internal/site/engine).
//
// Start reading at [Write].
package site
