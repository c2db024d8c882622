package library

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// TestEveryAlgorithmHasALane checks that the scenario every-algorithm has a lane of each.
func TestEveryAlgorithmHasALane(t *testing.T) {
	p, _ := runBuiltin(t, "every-algorithm")
	for _, a := range algorithms.Catalogue() {
		if !slices.ContainsFunc(p.Scenario.Lanes, func(l scenario.LaneSpec) bool { return l.Algorithm == a.ID }) {
			t.Errorf("no lane shows %s", a.ID)
		}
	}
}

// TestBuiltinsShowTheCatalogue checks that the lanes of the catalogue's scenarios do what their
// texts say.
func TestBuiltinsShowTheCatalogue(t *testing.T) {
	for _, c := range []struct {
		scenario, lane, timer string
		want                  []string
	}{
		{"kafka-stale-clock", "queue", "short", []string{"100 place 1/5", "100 cascade 0/5", "105 expire"}},
		{"kafka-stale-clock", "ticks", "short", []string{"100 place 0/5", "105 expire"}},
		{"kafka-ranges", "kafka", "8", []string{"0 place 1/2", "5 cascade 0/2", "7 expire"}},
		{"kafka-ranges", "kafka", "9", []string{"0 place 2/1", "8 expire"}},
		{"riicarus-later-round", "published", "19", []string{"0 place 0/3 rounds 2", "3 expire"}},
		{"riicarus-later-round", "corrected", "19", []string{"0 place 0/3 rounds 2", "19 expire"}},
		{"riicarus-from-now", "printed", "30", []string{"20 place 0/6 rounds 3", "30 expire"}},
		{"riicarus-from-now", "printed", "12", []string{"60 place 0/4 rounds 1", "60 expire"}},
		{"riicarus-from-now", "corrected", "12", []string{"60 place 0/0 rounds 9", "72 expire"}},
		{"netty-mask", "netty", "10", []string{"1 place 0/10 rounds 0", "11 expire"}},
		{"netty-mask", "netty", "26", []string{"1 place 0/10 rounds 1", "11 visit 0/10", "27 expire"}},
		{"netty-mask", "sixteen", "26", []string{"0 place 0/10 rounds 1", "10 visit 0/10", "26 expire"}},
		{"xiaoxu-own-test", "xiaoxu", "test1", []string{"0 place 0/1 rounds 0", "1000 expire"}},
		{"xiaoxu-own-test", "xiaoxu", "test2", []string{"0 place 0/9 rounds 0", "0 place 0/5 rounds 0", "3000 expire"}},
		{"xiaoxu-own-test", "procinc", "1s", []string{"0 place 0/2 rounds 0", "1500 expire"}},
		{"lateness", "exact", "63", []string{"1 place 0/0", "64 expire"}},
		{"lateness", "linux", "63", []string{"1 place 1/9", "72 expire"}},
		{"lateness", "netty", "30", []string{"10 place 0/3 rounds 0", "40 expire"}},
		{"lateness", "early-floor", "599", []string{"0 place 1/3", "480 cascade 0/11", "590 expire"}},
	} {
		if got := story(t, c.scenario, c.lane, c.timer); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, %s, %s:\n got %q\nwant %q", c.scenario, c.lane, c.timer, got, c.want)
		}
	}
}

// TestCalendarSkewIsSkewed checks that all timers of calendar-skew are on at most two pages once
// they are scheduled, although the year was doubled for them.
func TestCalendarSkewIsSkewed(t *testing.T) {
	p, recs := runBuiltin(t, "calendar-skew")
	pages, resizes := map[string]uint32{}, 0
	for _, r := range recs {
		if r.Lane != 0 || r.Tick > 530 {
			continue
		}
		if r.Kind == wheel.KindResize && r.Tick >= 500 {
			resizes++
		}
		if r.Kind == wheel.KindPlace && strings.HasPrefix(p.Name(r.ID), "crowd") {
			pages[p.Name(r.ID)] = r.ToSlot
		}
	}
	distinct := map[uint32]bool{}
	for _, page := range pages {
		distinct[page] = true
	}
	if len(pages) != 240 || len(distinct) > 2 || resizes != 3 {
		t.Errorf("%d of the crowd lie on %d pages after %d resizes, want 240 on two at most after 3", len(pages), len(distinct), resizes)
	}
}
