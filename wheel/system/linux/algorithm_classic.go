package linux

import "github.com/wheelscope/wheelscope/wheel/catalog"

// ClassicAlgorithm describes the algorithm and builds it from parameters.
var ClassicAlgorithm = catalog.Algorithm{
	ID: "linux-classic", Title: catalog.Text{EN: "Linux timer wheel, classic", ZH: "Linux 经典定时器轮"},
	Summary: catalog.Text{
		EN: "256 slots of one tick and four levels of 64 above. When a hand has come round, the next slot of the level above cascades: exact, but a whole slot moves in one tick.",
		ZH: "256 个单刻度槽，上面四层各 64 个槽。指针转完一圈，上一层的下一个槽就级联下来：精确，但整槽定时器会在一个刻度内搬动。"},
	Source:      "Linux up to 4.7, kernel/time/timer.c (3.18)",
	Guarantee:   catalog.Guarantee{Early: catalog.Never, Late: catalog.Text{EN: "never; what is due already when it is armed fires at the next tick", ZH: "绝不；设置时已到期的在下一刻触发"}},
	Parameters:  []catalog.Parameter{catalog.WidthParameter(1)},
	Build:       buildClassic,
	RevisitRule: revisitClassic,
}
