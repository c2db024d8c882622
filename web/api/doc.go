// Package api answers questions about runs: comparisons of lanes, costs, events, trace digests,
// estimates, imports, lectures and predictions. The answers are Go values whose JSON is described in docs/API.md.
//
// A server and the engine in a browser use it for the requests of the page below /api/ that only read, and for sockets
// that open or join a session, so they return the same values and the same error messages.
//
// Start reading at [Routes], the table of questions by URL, then at [Answers], which caches the answers that take a long time to compute (cache.go). The package does
// not depend on HTTP: [RefusalOf] returns the status and the text of an error. Every limit is in
// limits.go.
package api
