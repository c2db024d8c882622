package hashedsorted

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "hashed-sorted", Title: catalog.Text{EN: "Wheel with sorted buckets", ZH: "有序桶时间轮"},
	Summary: catalog.Text{
		EN: "One array of slots for any delay, each slot a list in order of due tick. A tick looks at the first timer of its slot only; a start may pass every timer of the slot.",
		ZH: "一个槽数组容纳任意延时，每个槽是按到期刻度排序的链表。走一刻只看该槽的第一个定时器；启动时可能要越过该槽里的所有定时器。"},
	Source:      "Varghese & Lauck 1987, Scheme 5 (section 6.1.1)",
	Guarantee:   catalog.Guarantee{Early: catalog.Never, Late: catalog.OnTime},
	Parameters:  []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax)},
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
