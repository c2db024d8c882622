package tokio

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "tokio", Title: catalog.Text{EN: "tokio's wheel", ZH: "tokio 时间轮"},
	Summary: catalog.Text{
		EN: "Six levels of 64 slots. The level is the highest digit in which the due tick differs from the clock, and a word of 64 bits a level finds the next occupied slot without a look at the empty ones.",
		ZH: "六层，每层 64 个槽。到期刻度与时钟最高的不同位段决定所在层；每层一个 64 位字直接找到下一个非空槽，不必查看空槽。"},
	Source:      "tokio, tokio/src/runtime/time/wheel (mod.rs, level.rs)",
	Guarantee:   catalog.Guarantee{Early: catalog.Never, Late: catalog.Text{EN: "never, unless timers more than 2^36 ticks ahead stand in the way at the top level", ZH: "绝不；除非最高层有超出 2^36 个刻度的定时器挡在前面"}},
	Parameters:  []catalog.Parameter{catalog.WidthParameter(1), libraryParameter()},
	Build:       build,
	RevisitRule: revisit,
}
