package simple

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "simple", Title: catalog.Text{EN: "Simple wheel", ZH: "简单时间轮"},
	Summary: catalog.Text{
		EN: "One array of slots, one slot a tick. Start, stop and tick are O(1), but a delay must be shorter than one revolution.",
		ZH: "一个槽数组，每个刻度一个槽。启动、停止和走一刻都是 O(1)，但延时必须短于一圈。"},
	Source:    "Varghese & Lauck 1987, Scheme 4 (section 5)",
	Guarantee: catalog.Guarantee{Early: catalog.NeverRoundedUp, Late: catalog.OnTime},
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("overflow", "reject", catalog.Text{EN: "what happens to a delay of a revolution or more: refused, or kept on a side list that is scanned once a revolution",
			ZH: "延时达到或超过一圈时如何处理：拒绝，或放入每圈扫描一次的旁列表"}, "reject", "list"),
		catalog.RoundingParameter()},
	Build: build,
}
