package rounds

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "rounds", Title: catalog.Text{EN: "Wheel with rounds", ZH: "带圈数的时间轮"},
	Summary: catalog.Text{
		EN: "One array of slots for any delay: each timer counts the revolutions it still has to wait. A tick touches every timer of its slot.",
		ZH: "一个槽数组容纳任意延时：每个定时器记录还要等待的圈数。每一刻要触及该槽里的所有定时器。"},
	Source: "Varghese & Lauck 1987, Scheme 6 (section 6.1.2)",
	Guarantee: catalog.Guarantee{Early: catalog.Text{EN: "never; by up to width − 1 base ticks with rounding floor or variant procinc", ZH: "绝不；rounding 为 floor 或 variant 为 procinc 时最多提前 width − 1 个基本刻度"},
		Late: catalog.Text{EN: "never at width 1 with variant exact; the naive variant is a revolution late whenever slots divides the delay, procinc up to a width", ZH: "variant 为 exact 且宽度为 1 时绝不；naive 变体在槽数整除延时时晚整整一圈，procinc 最多晚一个 width"}},
	Parameters: []catalog.Parameter{catalog.SlotsParameter(64, 1), catalog.WidthParameter(wheel.WidthMax),
		catalog.Choice("variant", "exact", catalog.Text{EN: "how rounds are counted: exact (j−1) div n; naive j div n, which is one revolution late whenever n divides j; procinc (xiaoxu, godis) j div n with the slot worked before the hand moves, j whole slots of the delay",
			ZH: "圈数的算法：exact 为 (j−1) div n；naive 为 j div n，当 n 整除 j 时会晚一圈；procinc（xiaoxu、godis）为 j div n，但先处理槽再移动指针，j 为延时所含的整槽数"}, "exact", "naive", "procinc"),
		catalog.RoundingParameter()},
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
