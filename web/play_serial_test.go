//go:build !race

// Long runs whose goroutines are the same as in play_test.go; see the Makefile.

package web

import (
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

func TestLongRacesToTheEnd(t *testing.T) {
	testkit.SoakOnly(t)
	for _, name := range longRaces {
		t.Run(name, func(t *testing.T) { raceToTheEnd(t, name) })
	}
}

func TestPlayAtAHighRate(t *testing.T) {
	testkit.SoakOnly(t)
	for _, rate := range []int{1000, 100_000} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) { playAtARate(t, rate) })
	}
}
