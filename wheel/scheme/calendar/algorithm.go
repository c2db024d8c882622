package calendar

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Algorithm describes the algorithm and builds it from parameters.
var Algorithm = catalog.Algorithm{
	ID: "calendar", Title: catalog.Text{EN: "Calendar queue", ZH: "日历队列"},
	Summary: catalog.Text{
		EN: "A desk calendar: a timer is noted on the page of its day whatever its year, each page in order of due tick. The queue measures itself: as it fills or empties, the year gets more days or fewer, and a day a new width.",
		ZH: "一本台历：定时器记在到期那一天的页上，不论哪一年，每页按到期刻度排序。队列会自我衡量：随着定时器增多或减少，一年的天数翻倍或减半，一天的宽度也重新测定。"},
	Source:    "Brown 1988, Calendar queues (CACM 31(10))",
	Guarantee: catalog.Guarantee{Early: catalog.Never, Late: catalog.NeverLate},
	Parameters: []catalog.Parameter{
		{Name: "slots", Type: catalog.TypeInt, Default: int64(2), Min: 1, Max: wheel.SlotsMax,
			Meaning: catalog.Text{EN: "days of the year at the beginning; it grows to 1048576 at most", ZH: "起初一年的天数；最多增长到 1048576"}},
		catalog.WidthParameter(1),
		{Name: "day", Type: catalog.TypeTick, Default: int64(1), Min: 1, Max: wheel.WidthMax,
			Meaning: catalog.Text{EN: "base ticks of a day at the beginning; it rounds nothing", ZH: "起初一天的基本刻度数；不影响到期时刻"}},
		catalog.Choice("resize", "auto", catalog.Text{EN: "auto: days and their width follow the queue; off: they stay, as in a wheel", ZH: "auto：天数与宽度随队列变化；off：保持不变，如同轮子"}, "auto", "off"),
	},
	Build: build,
}
