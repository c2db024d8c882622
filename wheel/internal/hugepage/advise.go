// Package hugepage tells the system which memory is read here and there: with pages of 2 MB
// fewer of those reads look for the page first.
package hugepage
