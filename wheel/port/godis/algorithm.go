package godis

import (
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/port/internal/ring"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "godis", Coarse: true, Title: catalog.Text{EN: "The wheel of godis", ZH: "godis 时间轮"},
	Summary: catalog.Text{
		EN: "A ring with rounds driven by a ticker, in whole seconds: how a Redis written in Go expires its keys. A delay below 0 is dropped without a word, a tick below one second divides by zero. It reads no clock; missed ticks are lost.",
		ZH: "由 ticker 驱动、以整秒计算的带圈数的环：一个用 Go 写的 Redis 用它来使键过期。负延时被悄悄丢弃，不足一秒的滴答会除以零。它不读时钟；错过的滴答会丢失。"},
	Source:    "github.com/HDT3213/godis f13d9cb, lib/timewheel/timewheel.go",
	Guarantee: ring.WithinATick,
	Parameters: append([]catalog.Parameter{catalog.SlotsParameter(3600, 1), ring.TickWidthParameter(true)}, catalog.FaultParameters(faultNames, catalog.Text{
		EN: "only these faults: seconds (delays are cut to whole seconds, a tick below one divides by zero), negative (a delay below 0 is dropped without a word), ticks (missed ticks are never made up)",
		ZH: "只启用这些缺陷：seconds（延时截断为整秒，不足一秒的滴答除以零）、negative（负延时被悄悄丢弃）、ticks（错过的滴答不再补上）"})...),
	Build:       build,
	RevisitRule: catalog.EachRevolution,
}
