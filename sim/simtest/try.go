package simtest

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/own"
)

// Try judges the timing wheels that create makes, as the command "wheelscope try" does, and reports the first wrong answer of
// each part as an error of t, with a minimal case. create gets the tick at which the clock of the wheel begins, and the
// slots and levels of o. A wheel that does not return from a call is reported after one to two seconds, and its goroutine stays.
func Try(t testing.TB, create own.New, o own.Options) {
	t.Helper()
	r, err := own.Try(t.Context(), create, o)
	if err != nil {
		t.Fatal("try: ", err)
	}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Fault != nil {
			t.Errorf("%s: %v", g.Name, g)
		}
	}
}
