package netty

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "netty", Coarse: true, Title: catalog.Text{EN: "Netty's wheel", ZH: "Netty 时间轮"},
	Summary: catalog.Text{
		EN: "One array of slots with rounds, and two queues before it: a timer waits in the pending queue until the next tick brings it to its slot, and a cancelled one stays in place until a tick takes it out.",
		ZH: "一个带圈数的槽数组，前面有两个队列：新定时器先进待转移队列，下一刻才放入槽中；被取消的定时器留在原处，等某一刻再移除。"},
	Source:    "Netty 4.2, io.netty.util.HashedWheelTimer",
	Guarantee: catalog.Guarantee{Early: catalog.Never, Late: catalog.Text{EN: "by 1 base tick up to width: tick k is worked when it is over", ZH: "晚 1 个到 width 个基本刻度：第 k 刻在结束时才处理"}},
	Parameters: []catalog.Parameter{{Name: "slots", Type: catalog.TypeInt, Default: int64(64), Min: 1, Max: wheel.SlotsMax,
		Meaning: catalog.Text{EN: "slots of the wheel, rounded up to a power of two", ZH: "时间轮的槽数，向上取整到 2 的幂"}}, catalog.WidthParameter(wheel.WidthMax)},
	Build:       build,
	RevisitRule: revisit,
}
