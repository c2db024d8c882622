package sim

import (
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/wheel"
)

// contestChinese implements contestVoice in Chinese.
type contestChinese struct{ c *Contest }

func (v contestChinese) workload() string {
	if v.c.Apart < 0 {
		return "A 与 B 的工作负载相同。"
	}
	return fmt.Sprintf("两者的工作负载从刻度 %d 起不同；定时器按名字对照。", v.c.Apart)
}

func (v contestChinese) until() string {
	return fmt.Sprintf("其中一个结束得更早：触发只比较到刻度 %d。", v.c.Until)
}

func (contestChinese) noPairs() string { return "只有一条泳道，没有可对照的对象。" }

func (v contestChinese) alike(lanes int) string {
	if len(v.c.Sides) == 1 && lanes == 1 {
		return v.noPairs()
	}
	if len(v.c.Sides) == 1 {
		return fmt.Sprintf("这 %d 条泳道始终一致：每个定时器在各泳道中都在同一刻度了结。", lanes)
	}
	if v.c.sooner() {
		return fmt.Sprintf("到刻度 %d 为止，两者一致。", v.c.Until)
	}
	return "两者始终一致：每个定时器在 A 与 B 中都在同一刻度了结。"
}

func (v contestChinese) first(at *Meeting, differing int64, more bool) string {
	ends, lanes := v.c.byEnd(at)
	apart := at.apart()
	var parts []string
	for k := range ends {
		end := chineseEnd(ends[k])
		if apart && !ends[k].Gone {
			end = fmt.Sprintf("到期 %d，%s", ends[k].Due, end)
		}
		parts = append(parts, strings.Join(lanes[k], "、")+" "+end)
	}
	due := ""
	if !apart {
		due = fmt.Sprintf("（到期 %d）", at.Due)
	}
	which := grouped(differing)
	if more {
		which = "超过 " + which
	}
	what := "个定时器"
	if v.c.repeats() {
		what = "次运行"
	}
	return fmt.Sprintf("首次不同在刻度 %d，定时器 %s%s：%s。总共有 %s %s结果不同。",
		at.Tick, chineseTimer(at), due, strings.Join(parts, "；"), which, what)
}

func chineseTimer(at *Meeting) string {
	if at.Run > 1 {
		return fmt.Sprintf("%s 的第 %d 次", at.Timer, at.Run)
	}
	return at.Timer
}

func chineseEnd(e End) string {
	switch {
	case e.Gone:
		return "没有这个定时器"
	case e.Kind == wheel.KindReject:
		return fmt.Sprintf("在 %d 拒绝了它", e.Tick)
	case e.Kind == wheel.KindCancel:
		return fmt.Sprintf("保留到 %d 时被取消", e.Tick)
	case e.Kind == wheel.KindNone:
		return "始终没有触发"
	case e.Tick == e.Due:
		return "准时触发"
	case e.Tick < e.Due:
		return fmt.Sprintf("在 %d 触发，早了 %s 个刻度", e.Tick, grouped(e.Due-e.Tick))
	}
	return fmt.Sprintf("在 %d 触发，晚了 %s 个刻度", e.Tick, grouped(e.Tick-e.Due))
}

func (v contestChinese) events() string {
	e := v.c.Events
	return fmt.Sprintf("泳道 %s 的事件在刻度 %d 之前完全相同；在那里 A 为 %s，B 为 %s。",
		v.c.Rows[0][v.c.Groups[e.Group][0].Lane].Lane, e.Tick, lineOr(e.Lines[0], "无"), lineOr(e.Lines[1], "无"))
}

func (contestChinese) cost(a, b *LaneResult) string {
	if a.Lane != b.Lane {
		return fmt.Sprintf("A 的泳道 %s 总代价为 %s，B 的泳道 %s 为 %s；最贵的刻度分别为 %s（t = %d）和 %s（t = %d）。",
			a.Lane, grouped(a.Cost), b.Lane, grouped(b.Cost), grouped(a.WorstTick), a.WorstTickAt, grouped(b.WorstTick), b.WorstTickAt)
	}
	return fmt.Sprintf("泳道 %s 的总代价在 A 中为 %s，在 B 中为 %s；最贵的刻度分别为 %s（t = %d）和 %s（t = %d）。",
		a.Lane, grouped(a.Cost), grouped(b.Cost), grouped(a.WorstTick), a.WorstTickAt, grouped(b.WorstTick), b.WorstTickAt)
}

func (v contestChinese) oracle(exact []string, off *Contestant) string {
	said := "没有一条泳道"
	if len(exact) > 0 {
		said = strings.Join(exact, "、") + " "
	}
	said += "完全按工作负载要求的刻度行事"
	if off == nil {
		return said + "。"
	}
	s := v.c.Against[off.Side][off.Lane]
	return fmt.Sprintf("%s；最先偏离的是 %s，在刻度 %d，定时器 %s。", said, v.c.NameOf(*off), s.First.Tick, chineseTimer(s.First))
}
