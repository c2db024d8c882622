package tokio

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "tokio", Title: catalog.Text{EN: "tokio's wheel", ZH: "tokio 时间轮"},
	Summary: catalog.Text{
		EN: "Six levels of 64 slots. The level is the highest digit in which the due tick differs from the clock, and a word of 64 bits a level finds the next occupied slot without a look at the empty ones.",
		ZH: "六层，每层 64 个槽。到期刻度与时钟最高的不同位段决定所在层；每层一个 64 位字直接找到下一个非空槽，不必查看空槽。"},
	Source:      "tokio, tokio/src/runtime/time/wheel (mod.rs, level.rs)",
	Guarantee:   catalog.Guarantee{Early: catalog.Never, Late: catalog.Text{EN: "never for a timer due within the same 2^30 ticks as the clock; a timer of the top level can be late by up to 2^36 ticks, if the slot before its own holds a timer due past the end of the current 2^36 ticks", ZH: "到期刻度与时钟同在一段 2^30 个刻度之内时绝不；最高层的定时器，若前一个槽里有到期于当前 2^36 段之后的定时器，可能晚至多 2^36 个刻度"}},
	Parameters:  []catalog.Parameter{catalog.WidthParameter(1), libraryParameter()},
	Build:       build,
	MayBeLate:   true,
	RevisitRule: revisit,
}
