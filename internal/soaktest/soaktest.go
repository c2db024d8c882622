// Package soaktest distinguishes the short form of tests, which runs in make test, from the long form of make soak.
package soaktest

import (
	"os"
	"testing"
)

// Full reports whether tests run in their long form: in make soak, which sets WHEELSCOPE_WHOLE.
func Full() bool { return os.Getenv("WHEELSCOPE_WHOLE") != "" }

// Only skips a test that runs in the long form only.
func Only(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skip("runs in make soak")
	}
}

// Pick returns short in the short form of tests, and long in the long form.
func Pick[T any](short, long T) T {
	if Full() {
		return long
	}
	return short
}
