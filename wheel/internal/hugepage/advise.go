// Package hugepage asks the system to use pages of 2 MB for memory that is read at random, so
// that fewer of these reads miss the TLB.
package hugepage
