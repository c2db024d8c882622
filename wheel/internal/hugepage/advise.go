// Package hugepage asks the system to use pages of 2 MB for memory that is read at random:
// fewer of those reads then need a page table lookup.
package hugepage
