// Package api answers questions about runs: comparisons of lanes and of two runs, costs, events, trace digests,
// estimates, imports, lessons and predictions. The answers are Go values whose JSON is described in docs/API.md.
//
// Start reading at [Answers], which caches the answers that take a long time to compute (cache.go). The package does
// not depend on HTTP: an [Error] has a kind, from which package web chooses the status code. Every limit is in
// limits.go.
package api
