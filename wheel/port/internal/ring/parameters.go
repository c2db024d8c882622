package ring

import (
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// TickWidthParameter returns the parameter width of a library in which it is the ticker's.
func TickWidthParameter(inSeconds bool) catalog.Parameter {
	p := catalog.WidthParameter(wheel.WidthMax)
	p.Meaning = catalog.Text{EN: "base ticks from one tick of its ticker to the next", ZH: "其 ticker 相邻两次滴答之间的基本刻度数"}
	if inSeconds {
		p.Meaning = catalog.Text{EN: "base ticks from one tick of its ticker to the next; published, it is cut to whole seconds of real time, and below one second every arming panics",
			ZH: "其 ticker 相邻两次滴答之间的基本刻度数；按发布的代码会截断为整秒，不足一秒时每次添加都会 panic"}
	}
	return p
}

// WithinATick is the guarantee of a rule that leaves out the phase of the tick.
var WithinATick = catalog.Guarantee{
	Early: catalog.Text{EN: "by less than one tick (width), since the phase of the tick is ignored; far more if a fault has an effect, which is reported as a finding",
		ZH: "提前不到一个滴答（width），因为忽略了滴答的相位；出现缺陷时会早得多，并会报告出来"},
	Late: catalog.Text{EN: "up to one tick (width); far more if a fault has an effect, which is reported as a finding",
		ZH: "最多晚一个滴答（width）；出现缺陷时会晚得多，并会报告出来"},
}
