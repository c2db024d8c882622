// Package library holds the built-in scenarios, as files and in the order in which a list shows
// them, and for each algorithm a trial: a small scenario to try it on.
//
// [Builtins] returns the scenarios whose algorithms the program links. Callers must not change
// what the functions return. All are safe for concurrent use.
package library
