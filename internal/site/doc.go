// Package site writes the laboratory as files: a static site that needs no server but one of files. Its
// pages are those of a server, rendered by web/pages; what a server would answer comes from the engine, the
// same Go code compiled for WebAssembly (internal/site/engine).
//
// Start reading at [Write].
package site
