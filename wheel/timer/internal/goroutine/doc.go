// Package goroutine identifies the calling goroutine, so that a callback of a timer can be
// distinguished from other callers.
package goroutine
