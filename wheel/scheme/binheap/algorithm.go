package binheap

import "github.com/wheelscope/wheelscope/wheel/catalog"

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "heap", Title: catalog.Text{EN: "Heap", ZH: "堆"},
	Summary: catalog.Text{
		EN: "A heap by due tick: start and stop move a timer up or down O(log n) places. Go's runtime uses one with four children a node.",
		ZH: "按到期刻度组织的堆：启动和停止时定时器上下移动 O(log n) 个位置。Go 运行时用的是四叉堆。"},
	Source:    "Varghese & Lauck 1987, Scheme 3 (section 4.1.1); Go runtime/time.go for arity 4",
	Guarantee: catalog.Guarantee{Early: catalog.Never, Late: catalog.NeverLate},
	Parameters: []catalog.Parameter{catalog.WidthParameter(1),
		{Name: "arity", Type: catalog.TypeInt, Default: int64(2), Min: 2, Max: 4, Meaning: catalog.Text{EN: "children of a node: 2 or 4", ZH: "每个节点的子节点数：2 或 4"}}},
	Build: build,
}
