// Package question answers the questions that the page asks by URL: the paths below /api/ that only read.
// It finds the run, parses the parameters and calls package api, so that a server and the engine in a
// browser answer with the same values and refuse with the same lines. It reads no request of HTTP.
//
// Start reading at the table in question.go.
package question
