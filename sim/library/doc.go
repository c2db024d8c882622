// Package library contains the built-in scenarios, in the order in which a list shows them, and a
// trial for each algorithm: a small scenario to try it on.
//
// [Builtins] returns the scenarios whose algorithms are linked into the program. Callers must not
// change what the functions return. All functions are safe for concurrent use.
package library
