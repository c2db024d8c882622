package wheeltest_test

import (
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/wheeltest"
	"github.com/wheelscope/wheelscope/wheel/wheeltest/internal/ours"
)

// Every exact algorithm without a maximum delay has all properties of this package.
func TestOurs(t *testing.T) {
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
			wheeltest.Run(t, ours.Factory(a.ID, time.Millisecond), only(a.ID == "hierarchical")...)
		})
	}
}

// only skips the properties that need real time, unless all is set: with every algorithm they
// would test the same driver again.
func only(all bool) (options []wheeltest.Option) {
	for _, p := range wheeltest.Properties() {
		if all || !p.Real {
			options = append(options, wheeltest.Only(p.Name))
		}
	}
	return options
}
