//go:build !race

// A long test whose goroutines are those of TestBooksBalance, which runs under -race; see the Makefile.

package timer

import "testing"

func TestBooksBalanceAgain(t *testing.T) { booksBalance(t, 1) }
