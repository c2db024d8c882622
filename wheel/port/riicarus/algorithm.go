package riicarus

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "riicarus", Coarse: true, Title: catalog.Text{EN: "riicarus' wheel", ZH: "riicarus 时间轮"},
	Summary: catalog.Text{
		EN: "One ring of buckets, each a priority queue by round, counted from one start timestamp; a bucket waits in a delay queue for its least round. As printed it takes the delay from now instead, and forgets to renew a bucket's timestamp, so later rounds fire at once.",
		ZH: "一圈桶，每个桶是按圈数排序的优先队列，圈数从同一个起始时间戳算起；桶按其最小圈数在延迟队列中等待。原文代码却从当前时刻计算延时，且取出一圈后不更新桶的时间戳，于是后面的圈会立即触发。"},
	Source: "seed 001, a single wheel on a delay queue (a sketch)",
	Guarantee: catalog.Guarantee{Early: catalog.Text{EN: "corrected, by up to width base ticks: what is due within one slot from now runs at once; as published, by whole rounds", ZH: "修正后最多提前 width 个基本刻度：一个槽宽以内到期的立即执行；按发布的代码可提前若干整圈"},
		Late: catalog.Never},
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(8, 1), catalog.WidthParameter(wheel.WidthMax)},
		catalog.FaultParameters(faultNames, catalog.Text{EN: "faults switched on, out of stale (a bucket keeps its timestamp after a poll, so its later rounds fire at once) and delay-from-now (the delay is taken from now but added to the start); left out: as decides",
			ZH: "启用的缺陷：stale（取出一圈后桶的时间戳不更新，后面的圈立即触发）、delay-from-now（延时从当前时刻算起，却加在起始时间上）；缺省由 as 决定"})...),
	Build: build,
}
