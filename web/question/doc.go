// Package question answers the requests of the page for paths below /api/ that only read. It looks up the run,
// parses the parameters and calls package api. A server and the engine in a browser both use it, so they return
// the same values and the same error messages. The package does not depend on HTTP.
//
// Start reading at the table in question.go.
package question
