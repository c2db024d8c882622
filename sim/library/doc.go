// Package library contains the built-in scenarios in display order, and a trial for each algorithm: a small
// scenario for experiments with the algorithm.
//
// [Builtins] returns the scenarios whose algorithms are linked into the program. Callers must not change what
// the functions return. All functions are safe for concurrent use.
package library
