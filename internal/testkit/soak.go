// Package testkit is for tests of all packages: the short form of tests, which runs in make test, and the long one of
// make soak; the JSON Schemas in the folder docs; and the program as a process.
package testkit

import (
	"os"
	"testing"
)

// Full reports whether tests run in their long form: in make soak, which sets WHEELSCOPE_WHOLE.
func Full() bool { return os.Getenv("WHEELSCOPE_WHOLE") != "" }

// SoakOnly skips a test that runs in the long form only.
func SoakOnly(t testing.TB) {
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
