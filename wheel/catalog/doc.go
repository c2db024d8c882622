// Package catalog defines the type [Algorithm], which describes a timer algorithm: its parameters
// with their bounds and defaults, and the function that creates a wheel from them. The package of
// each algorithm exports such a description, and package algorithms lists them. The texts that
// explain the algorithms to users are in static/knowledge.
//
// Start reading at [Algorithm] and [Parameter]. The functions in parameters.go create parameters
// that several algorithms share, so that their bounds agree.
package catalog
