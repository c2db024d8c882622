package unsorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "list", Title: catalog.Text{EN: "Unordered list", ZH: "无序链表"},
	Summary: catalog.Text{
		EN: "All timers in one list, in order of arming. Start and stop are O(1), but every tick touches every timer.",
		ZH: "所有定时器放在一个链表里，按设置的先后排列。启动和停止是 O(1)，但每一刻都要触及每个定时器。"},
	Source:     "Varghese & Lauck 1987, Scheme 1 (section 3.1)",
	Guarantee:  catalog.Guarantee{Early: catalog.Never, Late: catalog.NeverLate},
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
