// Package api answers questions about runs: comparisons of lanes and of two runs, costs, events, digests
// of traces, estimates, imports, lessons and predictions. The answers are Go values whose JSON is that of
// docs/API.md.
//
// Start reading at [Answers], which caches what takes long to compute (cache.go). The package knows
// nothing of HTTP: errors have a kind ([Error]), and package web chooses the status codes. Every limit is
// in limits.go.
package api
