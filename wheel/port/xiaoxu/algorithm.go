package xiaoxu

import (
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "xiaoxu", Coarse: true, Title: catalog.Text{EN: "xiaoxu's timewheel", ZH: "小徐先生的 timewheel"},
	Summary: catalog.Text{
		EN: "A ring with rounds driven by a ticker; a key that is armed again replaces. A negative delay may index below slot 0: the panic ends the wheel's goroutine and whoever adds after that waits for ever. The slot is computed outside that goroutine. It counts ticks and reads no clock once a timer is placed; missed ticks are lost.",
		ZH: "由 ticker 驱动的带圈数的环；同一个键再次添加即替换。负延时可能得到小于 0 的槽号：panic 会终止时间轮的协程，此后的添加将永远阻塞。槽号在该协程之外计算。放置之后只数滴答、不读时钟；错过的滴答会丢失。"},
	Source:    "github.com/xiaoxuxiansheng/timewheel 8f0e64b, time_wheel.go",
	Guarantee: ring.WithinATick,
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(10, 1), ring.TickWidthParameter(false)}, catalog.FaultParameters(faultNames, catalog.Text{
		EN: "only these faults: negative (a delay below 0 panics, or waits almost a revolution), ticks (missed ticks are never made up), outside (a race, not among the published unless named: the slot is computed before the tick of the same instant and used after it)",
		ZH: "只启用这些缺陷：negative（负延时会 panic，或几乎再等一圈）、ticks（错过的滴答不再补上）、outside（竞争，只有点名才启用：在同一时刻的滴答之前算出槽号，之后才放入）"})...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
