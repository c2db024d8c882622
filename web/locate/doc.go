// Package locate finds what a URL refers to: a scenario, by its name ([Library]), and a position in
// a run ([Position]).
package locate
