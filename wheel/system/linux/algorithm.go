package linux

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "linux", Coarse: true, Title: catalog.Text{EN: "Linux timer wheel", ZH: "Linux 定时器轮"},
	Summary: catalog.Text{
		EN: "Eight or nine levels of 64 slots, each level 8 times as coarse as the one below, and no cascade: a timer fires from the slot it was put into, late by what that slot rounds up.",
		ZH: "八或九层，每层 64 个槽，每升一层粗 8 倍，且不做级联：定时器直接在最初的槽里触发，晚于到期的量就是该槽向上取整的量。"},
	Source: "Linux since 4.8, kernel/time/timer.c",
	Guarantee: catalog.Guarantee{Early: catalog.Text{EN: "never, below a delay of 63·8^(levels−1) ticks; what is as far or farther is brought back to the end of the last level", ZH: "延时小于 63·8^(levels−1) 个刻度时绝不；达到或超过的被拉回到最后一层的末端"},
		Late: catalog.Text{EN: "by 1 tick up to the width of its slot, 8^level: at most 12.7 % of the delay from level 1 on", ZH: "晚 1 个刻度到一个槽宽 8^level：自第 1 层起至多为延时的 12.7 %"}},
	Parameters: []catalog.Parameter{catalog.WidthParameter(1),
		{Name: "levels", Type: catalog.TypeInt, Default: int64(9), Min: 8, Max: 9, Meaning: catalog.Text{EN: "levels: 9, or 8 as in a kernel that ticks 100 times a second or less", ZH: "层数：9；时钟频率不高于 100 Hz 的内核为 8"}}},
	Build: build,
}
