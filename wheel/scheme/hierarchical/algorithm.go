package hierarchical

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "hierarchical", Title: catalog.Text{EN: "Hierarchical wheel", ZH: "分层时间轮"},
	Summary: catalog.Text{
		EN: "Several wheels, each slot of a coarser one as wide as a whole finer one. Far timers wait in coarse slots and cascade to finer ones as their time comes near.",
		ZH: "若干个轮子，粗轮的一个槽与整个细轮同宽。远期定时器在粗槽中等待，临近时逐级降到更细的轮。"},
	Source: "Varghese & Lauck 1987, Scheme 7 (section 6.2)",
	Guarantee: catalog.Guarantee{Early: catalog.Text{EN: "never with migration full, or up to width − 1 base ticks with rounding floor; by less than a slot of its level with one and none", ZH: "migration 为 full 时绝不，rounding 为 floor 时最多提前 width − 1 个基本刻度；one 与 none 提前不到其所在层的一个槽宽"},
		Late: catalog.Text{EN: "up to width − 1 base ticks with migration full, so never at width 1; by less than a slot of its level with one and none", ZH: "migration 为 full 时最多晚 width − 1 个基本刻度，宽度为 1 时绝不；one 与 none 推迟不到其所在层的一个槽宽"}},
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInts, Default: int64(64), Min: 1, Max: wheel.SlotsMax,
			Meaning: catalog.Text{EN: "slots of every level, or a list with the slots of each, finest first", ZH: "每层的槽数；或一个列表，从最细层起给出各层槽数"}},
		{Name: "levels", Type: catalog.TypeInt, Min: 1, Max: wheel.LevelsMax,
			Meaning: catalog.Text{EN: "number of levels; left out with a single size of slots, the wheel grows from one level to eight as it needs them", ZH: "层数；若 slots 为单个数且省略本项，则按需从一层增长到至多八层"}},
		catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("placement", "distance", catalog.Text{EN: "the level of a timer: by distance (the lowest that reaches it) or by digits (the highest whose index differs from the clock's)",
			ZH: "定时器所在层：distance 为能够到达的最低层；digits 为索引与时钟不同的最高层"}, "distance", "digits"),
		catalog.Choice("migration", "full", catalog.Text{EN: "full: down to level 0; one: once, to the level below; none: fires where it was first placed (Nichols' variants)",
			ZH: "full：一直降到第 0 层；one：只降一层；none：在最初的槽里直接触发（Nichols 的变体）"}, "full", "one", "none"),
		catalog.Choice("round", "floor", catalog.Text{EN: "how migration one and none round a due tick to a slot", ZH: "migration 为 one 或 none 时，到期刻度如何取整到槽"}, "floor", "ceil", "nearest"),
		catalog.RoundingParameter(),
	},
	Build: build,
}
