// Package site writes the laboratory as a static site, which any file server can serve. The pages are
// rendered by web/pages, as on the laboratory's own server. What that server computes for the pages, the
// engine computes in the browser: it is the same Go code, compiled for WebAssembly
// (internal/site/engine).
//
// Start reading at [Write].
package site
