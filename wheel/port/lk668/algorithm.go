package lk668

import (
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "lk668", Coarse: true, Title: catalog.Text{EN: "lk668's timewheel", ZH: "lk668 的 timewheel"},
	Summary: catalog.Text{
		EN: "A ring with rounds driven by a ticker, in whole seconds, with recurring tasks and creation times that spread equal intervals over the slots. It reads the wall clock for the creation times only; ticks that were missed are lost. Eight faults.",
		ZH: "由 ticker 驱动、以整秒计算的带圈数的环，支持周期任务，并按创建时间把相同间隔的任务分散到各槽。只有创建时间读取墙上时钟；错过的滴答会丢失。共有八处缺陷。"},
	Source:    "github.com/lk668/timewheel 7f9962e, timewheel.go",
	Guarantee: ring.WithinATick,
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(60, 1), ring.TickWidthParameter(true)}, catalog.FaultParameters(faultNames, catalog.Text{
		EN: "only these faults: revolution (a delay of whole revolutions fires a revolution early), storm (what is put back into the slot being visited runs again in the same tick), interval (a repeat is cut to whole ticks), times (N runs N+1 times), remove (removing a timer that has ended panics), seconds (below one second it divides by zero), created (the creation time moves the slot, not the rounds), ticks (missed ticks are never made up)",
		ZH: "只启用这些缺陷：revolution（整圈的延时早一圈触发）、storm（访问中放回本槽的任务在同一滴答内再次运行）、interval（周期被截断为整滴答）、times（N 次会运行 N+1 次）、remove（删除已结束的任务会 panic）、seconds（不足一秒则除以零）、created（创建时间只移动槽位而不改圈数）、ticks（错过的滴答不再补上）"})...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
