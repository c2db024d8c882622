// Package locate finds what a URL names: a scenario by its name ([Library]) and a position in a run
// ([Position]).
package locate
