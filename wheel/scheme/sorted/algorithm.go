package sorted

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "sorted", Title: catalog.Text{EN: "Sorted list", ZH: "有序链表"},
	Summary: catalog.Text{
		EN: "A list in order of due tick, searched from the front. A tick looks at its head only; a start may pass every timer.",
		ZH: "按到期刻度排序的链表，从表头查找。走一刻只看表头；启动一个定时器可能要越过所有定时器。"},
	Source:     "Varghese & Lauck 1987, Scheme 2 (section 3.2)",
	Guarantee:  catalog.Guarantee{Early: catalog.Never, Late: catalog.NeverLate},
	Parameters: []catalog.Parameter{catalog.WidthParameter(1)},
	Build:      build,
}
