//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package tracefile

import (
	"bytes"
	"strings"
	"testing"
)

func TestVerifyCutAtEveryByte(t *testing.T) {
	trace := smallTrace(t)
	for n := range trace {
		if kind, err := verifyTrace(trace[:n]); !strings.HasPrefix(kind, "broken") {
			t.Fatalf("cut after %d bytes: %s (%v)", n, kind, err)
		}
	}
}

func TestVerifyEveryByteFlipped(t *testing.T) {
	trace := smallTrace(t)
	for n := range trace {
		for _, bit := range []int{0, 1 + n%7} {
			flipped := bytes.Clone(trace)
			flipped[n] ^= 1 << bit
			if kind, err := verifyTrace(flipped); kind == "identical" || kind == "error" {
				t.Fatalf("bit %d of byte %d flipped: %s (%v)", bit, n, kind, err)
			}
		}
	}
}
