//go:build !race

// Tests with many cases, whose concurrency TestTimer covers; see the Makefile.

package wheeltest_test

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/wheelscope/wheelscope/wheel/wheeltest/internal/timeradapter"
)

// Every exact algorithm without a maximum delay has the properties that do not need real time. Those
// that do would test the same driver again with each algorithm; TestTimer checks them.
func TestTimerOnEveryAlgorithm(t *testing.T) {
	testkit.SoakOnly(t)
	var inFakeTime []wheeltest.Option
	for _, p := range wheeltest.Properties() {
		if !p.Real {
			inFakeTime = append(inFakeTime, wheeltest.Only(p.Name))
		}
	}
	for _, a := range algorithms.Catalogue() {
		p, err := a.Fill(nil)
		if err != nil {
			t.Fatal(err)
		}
		made, err := a.Build(p, catalog.Env{})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := made.(wheel.NeverEarly) // timer.New accepts others with WithAllowEarly only
		if !ok || !e.NeverEarly() || !a.Exact(p) && a.ID != "tokio" || a.ID == "simple" || a.ID == "redis" {
			continue
		}
		t.Run(a.ID, func(t *testing.T) {
			wheeltest.Run(t, timeradapter.Factory(a.ID, time.Millisecond), inFakeTime...)
		})
	}
}
