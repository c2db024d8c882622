//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package library

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// TestRedisScenes checks that each lane of the Redis scenarios makes the calls and has the faults
// that the texts describe, by timer. Corrected lanes call nothing early or twice and lose nothing.
func TestRedisScenes(t *testing.T) {
	for _, c := range []struct {
		scenario, lane string
		fired          int
		findings       []string // without those that are a second early
	}{
		{"redis-worker-dies", "published", 7, []string{"order-2 lost", "order-3 lost"}},
		{"redis-worker-dies", "corrected", 9, nil},
		{"redis-scan-missed", "published", 3, []string{"120 lost", "121 lost"}},
		{"redis-scan-missed", "corrected", 5, nil},
		{"redis-callback-fails", "published", 2, []string{"21 lost", "22 lost", "26 lost"}},
		{"redis-callback-fails", "corrected", 5, nil},
		{"redis-same-key", "published", 3, []string{"mail twice", "bill twice"}},
		{"redis-same-key", "one-body", 3, []string{"mail twice"}},
		{"redis-same-key", "corrected", 3, nil},
		{"redis-delete-ahead", "published", 1, []string{"far revived"}},
		{"redis-delete-ahead", "corrected", 1, nil},
		{"redis-wrong-minute", "published", 1, []string{"later revived"}},
		{"redis-wrong-minute", "corrected", 1, nil},
		{"redis-time-zone", "published", 0, []string{"30 lost", "61 lost", "95 lost", "119 lost"}},
		{"redis-time-zone", "utc", 4, nil},
		{"redis-time-zone", "corrected", 4, nil},
	} {
		p, recs := runBuiltin(t, c.scenario)
		fired, found := 0, []string(nil)
		for _, r := range recs {
			switch {
			case p.Scenario.Lanes[r.Lane].ID != c.lane:
			case r.Kind == wheel.KindExpire:
				fired++
				if c.lane == "corrected" && r.Tick < r.Due-p.Start {
					t.Errorf("%s: %s is called early", c.scenario, p.Name(r.ID))
				}
			case r.Kind == wheel.KindFinding && r.Code != wheel.CodeEarly:
				found = append(found, fmt.Sprint(p.Name(r.ID), " ", wheel.CodeName(r.Code)))
			}
		}
		if fired != c.fired || !slices.Equal(found, c.findings) {
			t.Errorf("%s, %s: %d called, findings %q; want %d, %q", c.scenario, c.lane, fired, found, c.fired, c.findings)
		}
	}
}
