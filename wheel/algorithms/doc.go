// Package algorithms lists all timer algorithms and creates wheels by name. It is the only
// package that imports them all: a program that needs one wheel imports the package of that
// algorithm and links no other.
//
// Start reading at [New] and [Catalogue]. To add an algorithm, write its package and add
// its description to list.go. An algorithm that needs more than the standard library, such
// as the wheel on Redis, calls [Register] instead.
//
// The tests here compare algorithms with each other, with models of their published rules,
// and with vectors and runs recorded from their references (testdata).
package algorithms
