//go:build !linux

package attack

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Fprintln(os.Stderr, "internal/attack: the attack suite needs Linux, for /proc and limits of virtual memory; no case was run")
	os.Exit(m.Run())
}
