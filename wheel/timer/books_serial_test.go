//go:build !race

// A long test with the same goroutines as TestEveryTimerIsAccountedFor, which runs under -race; see
// the Makefile.

package timer

import "testing"

func TestEveryTimerIsAccountedForAgain(t *testing.T) { booksBalance(t, 1) }
