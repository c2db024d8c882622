package compare

import (
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
)

// result returns a lane's row with 40 timers fired on time, which mend then changes.
func result(lane string, work wheel.Cost, mend func(*engine.LaneResult)) engine.LaneResult {
	r := engine.LaneResult{Lane: lane, Fired: 40, Work: work, Cost: work.Total(), WorstTick: 5, WorstTickAt: 7}
	if mend != nil {
		mend(&r)
	}
	return r
}

func summaryOf(lang string, rows ...engine.LaneResult) string {
	return strings.Join(static.Messages(lang).Lines(Summarize(rows, 0)), " ")
}

var (
	lowCost  = wheel.Cost{Slots: 50, Touched: 96}
	highCost = wheel.Cost{Slots: 60, Touched: 1312, Compared: 9}
)

func TestSummaryOfExactLanes(t *testing.T) {
	simple, rounds, levels := result("simple", wheel.Cost{Slots: 50, Touched: 200}, nil), result("rounds", highCost, nil), result("hierarchical", lowCost, nil)
	want := "All three fired all 40 timers on time. rounds touched 1,312 timers to do it, hierarchical 96; in all that is 1,381 units of work against 146, the fewest units. Units count work by the algorithm's rule, not time; to choose by time: `wheelscope advise`."
	if got := summaryOf("en", simple, rounds, levels); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	want = "三条泳道都准时触发了全部 40 个定时器。 rounds 为此触及定时器 1,312 次，hierarchical 只有 96；全部工作量为 1,381 对 146，后者单位最少。 单位按算法自己的规则计算工作，不是时间；要按时间选择，请用 `wheelscope advise`。"
	if got := summaryOf("zh", simple, rounds, levels); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	levels.WorstTick, levels.WorstTickAt = 1496, 512
	if got := summaryOf("en", rounds, levels); !strings.HasPrefix(got, "Both fired") || !strings.HasSuffix(got, "The costliest single tick costs 1,496 units, at t = 512 in hierarchical; no tick of rounds costs more than 5. Units count work by the algorithm's rule, not time; to choose by time: `wheelscope advise`.") {
		t.Error(got)
	}
	if got := summaryOf("en", rounds, rounds); !strings.Contains(got, "Each of the 2 cost the same: 1,381 units of work.") || strings.Contains(got, "costliest") {
		t.Error(got)
	}
}

func TestSummaryReportsWhatWentWrong(t *testing.T) {
	exact := result("heap", lowCost, nil)
	for _, c := range []struct {
		mend   func(*engine.LaneResult)
		en, zh string
	}{
		{func(r *engine.LaneResult) { r.Fired, r.Rejected = 37, 3 }, "heap fired all 40 timers on time; odd rejected 3.", "odd 拒绝了 3 个。"},
		{func(r *engine.LaneResult) { r.Early, r.EarlyMax = 12, 19 }, "odd fired 12 early, by up to 19 ticks.", "odd 有 12 个早触发，最多早 19 个刻度。"},
		{func(r *engine.LaneResult) { r.Late, r.LateMax = 40, 1 }, "odd fired 40 late, by up to 1 tick.", "odd 有 40 个晚触发，最多晚 1 个刻度。"},
		{func(r *engine.LaneResult) { r.Findings = 2 }, "odd has 2 findings.", "odd 有 2 处缺陷。"},
		{func(r *engine.LaneResult) { r.Fired = 39 }, "odd fired 39 of 40.", "odd 只触发了 40 个中的 39 个。"},
		{func(r *engine.LaneResult) { r.Rejected, r.Late, r.LateMax = 1, 2, 3 }, "odd rejected 1 and fired 2 late, by up to 3 ticks.", "odd 拒绝了 1 个，有 2 个晚触发，最多晚 3 个刻度。"},
	} {
		odd := result("odd", highCost, c.mend)
		if got := summaryOf("en", exact, odd); !strings.Contains(got, c.en) || strings.Contains(got, "All") || strings.Contains(got, "to do it") {
			t.Errorf("%q does not say %q", got, c.en)
		}
		if got := summaryOf("zh", exact, odd); !strings.Contains(got, c.zh) {
			t.Errorf("%q does not say %q", got, c.zh)
		}
	}
}

func TestSummaryOfManyFlaws(t *testing.T) {
	var rows []engine.LaneResult
	for _, lane := range []string{"a", "b", "c", "d", "e", "f"} {
		rows = append(rows, result(lane, lowCost, func(r *engine.LaneResult) { r.Late, r.LateMax = 1, 1 }))
	}
	if got := summaryOf("en", rows...); !strings.HasPrefix(got, "No lane fired every timer on time; a fired 1 late") || !strings.Contains(got, "; 2 more lanes were not exact either.") {
		t.Error(got)
	}
	if got := summaryOf("en", rows[:5]...); !strings.Contains(got, "; one more lane was not exact either.") {
		t.Error(got)
	}
}

func TestSummaryDoesNotClaimTooMuch(t *testing.T) {
	pending := result("a", lowCost, func(r *engine.LaneResult) { r.Pending = 3 })
	if got := summaryOf("en", pending, pending); !strings.HasPrefix(got, "Both fired 40 timers, each on time.") {
		t.Errorf("%q, though 3 timers are armed still", got)
	}
	cancelled := result("a", lowCost, func(r *engine.LaneResult) { r.Cancelled = 3 })
	if got := summaryOf("en", cancelled, cancelled); !strings.HasPrefix(got, "Both fired on time the 40 timers that were not cancelled.") {
		t.Error(got)
	}
	runs := result("a", lowCost, func(r *engine.LaneResult) { r.Repeats = true })
	if got := summaryOf("en", runs, runs); !strings.HasPrefix(got, "Both fired all 40 runs on time.") {
		t.Errorf("%q of timers that run more than once", got)
	}
	if got := summaryOf("zh", runs, runs); !strings.HasPrefix(got, "两条泳道都准时触发了全部 40 次运行。") {
		t.Error(got)
	}
	idle := result("a", lowCost, func(r *engine.LaneResult) { r.Fired = 0 })
	if got := summaryOf("en", idle); got != "a fired nothing: no timer came to its end. That took 146 units of work, at most 5 of them in one tick. Units count work by the algorithm's rule, not time; to choose by time: `wheelscope advise`." {
		t.Error(got)
	}
	if got := summaryOf("zh", idle); !strings.HasPrefix(got, "a 没有触发任何定时器。") {
		t.Error(got)
	}
}

// A small difference in units decides nothing, and a lane that rejected timers is not praised for doing less.
func TestSummaryDoesNotMislead(t *testing.T) {
	const open = "This difference does not decide which is faster."
	some, more, most := result("some", wheel.Cost{Slots: 100}, nil), result("more", wheel.Cost{Slots: 399}, nil), result("most", wheel.Cost{Slots: 400}, nil)
	if got := summaryOf("en", some, more); !strings.Contains(got, "399 units of work against 100, the fewest units. "+open) {
		t.Error(got)
	}
	if got := summaryOf("en", some, most); strings.Contains(got, open) {
		t.Error(got)
	}
	late := result("late", wheel.Cost{Slots: 10}, func(r *engine.LaneResult) { r.Late, r.LateMax = 40, 8 })
	accepted := strings.Join(static.Messages("en").Lines(Summarize([]engine.LaneResult{late, some}, 8)), " ")
	if want := "Both fired all 40 timers on time. A timer that fires up to 8 ticks late counts as on time. some examined 100 slots to do it, late 10;"; !strings.HasPrefix(accepted, want) {
		t.Errorf("%q\nwant %q", accepted, want)
	}
	if got := summaryOf("en", late, some); !strings.HasPrefix(got, "some fired all 40 timers on time; late fired 40 late") {
		t.Error(got)
	}
	rejects := result("rejects", wheel.Cost{Slots: 1}, func(r *engine.LaneResult) { r.Fired, r.Rejected = 1, 39 })
	oneLate := func(r *engine.LaneResult) { r.Late, r.LateMax = 1, 1 }
	for _, rows := range [][]engine.LaneResult{{rejects, some}, {rejects, result("a", lowCost, oneLate), result("b", highCost, oneLate)}} {
		if got := summaryOf("en", rows...); strings.Contains(got, "rejects 1;") || strings.Contains(got, "against 1,") || strings.Contains(got, "no tick of rejects") {
			t.Error(got)
		}
	}
}
