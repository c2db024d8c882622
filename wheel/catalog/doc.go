// Package catalog has the types with which an algorithm describes itself: its parameters with their
// bounds and defaults, and the function that creates a wheel from parameters. Each package of an
// algorithm exports such a description; package algorithms lists them by name. The texts about an
// algorithm for readers are not part of it: they are in static/knowledge.
//
// Start reading at [Algorithm] and [Parameter]. The functions in parameters.go make the
// parameters that several algorithms have, so that they have the same bounds.
package catalog
