package view

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// The words below a lane's name, for each shape, in both languages.
func TestGeometryWords(t *testing.T) {
	level := func(n, slots int, width int64) wheel.Level {
		return wheel.Level{Level: n, Slots: slots, Width: width}
	}
	ring := algorithms.Facts{Shape: wheel.ShapeRing}
	for _, c := range []struct {
		info   algorithms.Facts
		levels []wheel.Level
		tick   string
		en, zh string
	}{
		{ring, []wheel.Level{level(0, 3, 1)}, "1ms", "3 slots · 1 ms per slot, 3 ms per turn", "3 槽 · 每槽 1 ms，每圈 3 ms"},
		{ring, []wheel.Level{level(0, 3, 1), level(1, 3, 3), level(2, 3, 9)}, "1ms", "3 levels × 3 slots · 1 / 3 / 9 ms per slot, 3 / 9 / 27 ms per turn", "3 层 × 3 槽 · 每槽 1 / 3 / 9 ms，每圈 3 / 9 / 27 ms"},
		{ring, []wheel.Level{level(0, 60, 1), level(1, 60, 60), level(2, 24, 3600)}, "1s", "3 levels × 60 / 60 / 24 slots · 1 s / 1 min / 1 h per slot, 1 min / 1 h / 1 d per turn", "3 层 × 60 / 60 / 24 槽 · 每槽 1 s / 1 min / 1 h，每圈 1 min / 1 h / 1 d"},
		{ring, []wheel.Level{level(0, 4, 1), level(-1, 0, 4)}, "10ms", "4 slots · side list · 10 ms per slot, 40 ms per turn", "4 槽 · 旁列表 · 每槽 10 ms，每圈 40 ms"},
		{ring, []wheel.Level{level(0, 64, 1), level(1, 64, 8), level(2, 64, 64), level(3, 64, 512), level(4, 64, 1<<24)}, "1s", "5 levels × 64 slots · 1 s / 8 s / … / ≈ 194.181 d per slot, 64 s / 512 s / … / ≈ 12427.567 d per turn", "5 层 × 64 槽 · 每槽 1 s / 8 s / … / ≈ 194.181 d，每圈 64 s / 512 s / … / ≈ 12427.567 d"},
		{ring, []wheel.Level{level(0, 8, 1<<61)}, "1h", "8 slots · 2305843009213693952 × 1h per slot, 8 × 2305843009213693952 × 1h per turn", "8 槽 · 每槽 2305843009213693952 × 1h，每圈 8 × 2305843009213693952 × 1h"},
		{algorithms.Facts{Shape: wheel.ShapeHeap, Arity: 4}, []wheel.Level{level(0, 0, 1)}, "1ms", "4 children per node", "每个节点 4 个子节点"},
		{algorithms.Facts{Shape: wheel.ShapeList}, []wheel.Level{level(0, 1, 1)}, "1ms", "in order of due tick", "按到期刻度排序"},
	} {
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			in := static.Texts(lang)
			got := strings.TrimSuffix(geometryWords(&c.info, c.levels, in)+" · "+turnWords(&c.info, c.levels, c.tick, in), " · ")
			if got != want {
				t.Errorf("%s: %q, want %q", lang, got, want)
			}
		}
	}
}

// Exact is shown for exactly the lanes for which the catalogue guarantees it.
func TestExactLanes(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	want := map[string]bool{"simple": true, "list": true, "rounds": true, "naive": false, "tower": true, "none": false, "sorted": true, "heap": true}
	sc := run.Program().Scenario
	info := sc.Facts()
	for i := range sc.Lanes {
		l := &sc.Lanes[i]
		if info[i].Exact != want[l.ID] {
			t.Errorf("%s: %+v", l.ID, info[i])
		}
	}
}

func TestSpanWords(t *testing.T) {
	for _, c := range []struct {
		level wheel.Level
		tick  string
		want  string
	}{
		{wheel.Level{Level: 1, Slots: 16, Width: 16}, "1ms", "16 ms per slot, 256 ms per turn"},
		{wheel.Level{Level: 2, Slots: 16, Width: 256}, "1ms", "256 ms per slot, 4.096 s per turn"},
		{wheel.Level{Slots: 64, Width: 1}, "7us", "7 µs per slot, 448 µs per turn"},
		{wheel.Level{Slots: 10, Width: 10}, "1s", "10 s per slot, 100 s per turn"},
		{wheel.Level{Slots: 64, Width: 4096}, "1ms", "4.096 s per slot, 262.144 s per turn"},
		{wheel.Level{Slots: 3, Width: 1000}, "1.0001s", "≈ 16.668 min per slot, 50.005 min per turn"},
		{wheel.Level{Level: -1}, "1ms", ""},
		{wheel.Level{Slots: 64, Width: 1 << 50}, "1ms", ""},
	} {
		if got := spanWords(c.level, c.tick, static.Texts("en")); got != c.want {
			t.Errorf("%+v of %s: %q, want %q", c.level, c.tick, got, c.want)
		}
	}
}

func TestWallClock(t *testing.T) {
	for _, c := range []struct {
		now, start int64
		tick, want string
	}{
		{512, 0, "1ms", "512 ms"}, {0, 0, "1s", "0 s"}, {0, 0, "7us", "0 µs"}, {12345, 0, "1ms", "12.345 s"}, {75, 0, "1s", "1:15"},
		{62345, 0, "1ms", "1:02.345"}, {3661, 7, "1s", "1:01:01"}, {5, 1_700_000_000, "1s", "22:13:25"}, {1 << 60, 0, "1ms", ""},
	} {
		if got := wallClock(c.now, c.start, c.tick); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
