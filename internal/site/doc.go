// Package site writes the laboratory as a static site, which any file server can serve. The pages are
// rendered by web/pages, as on the laboratory's own server. The computations that the server performs for the
// pages are performed in the browser by the engine (internal/site/engine), which is the same Go code compiled
// for WebAssembly. Wheels in JavaScript run in another program (internal/site/own), which has an interpreter.
//
// Start reading at [Write].
package site
