// Package binheap implements Scheme 3 of Varghese and Lauck (SOSP 1987, section 4.1.1): a heap
// ordered by due tick, then by order of scheduling. With four children per node, it is the
// structure that the Go runtime uses (runtime/time.go).
//
//	range         any delay
//	start, stop   O(log n)
//	tick          O(1), and O(log n) for each timer that fires
//
// Its name in the catalogue is "heap".
package binheap
