package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// grouped formats a number with a comma between thousands: 1,312.
func grouped(n int64) string { return groupedText(strconv.FormatInt(n, 10)) }

func groupedText(text string) string {
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// english writes verdicts in English.
type english struct{}

// numerals are the English words for numbers of lanes, from two.
var numerals = [...]string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

func plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + one + "s"
}

func (english) exact(lanes []string, all bool, did deeds) string {
	subject := lanes[0]
	if n := len(lanes); n > 1 {
		subject = strings.Join(lanes[:n-1], ", ") + " and " + lanes[n-1]
		if all {
			subject = fmt.Sprintf("all %d", n)
			if n-2 < len(numerals) {
				subject = "all " + numerals[n-2]
			}
		}
		if all && n == 2 {
			subject = "both"
		}
	}
	subject = capital(subject)
	what := "timer"
	if did.runs {
		what = "run"
	}
	fired := plural(did.fired, what)
	switch {
	case did.fired == 0:
		return subject + " fired nothing: no timer came to its end"
	case !did.whole:
		return subject + " fired " + fired + ", each on time"
	case did.cancelled:
		return subject + " fired on time the " + fired + " that were not cancelled"
	case did.fired == 1:
		return subject + " fired the one " + what + " on time"
	}
	return subject + " fired all " + fired + " on time"
}

// capital capitalises the first word of a sentence unless it is a lane's name.
func capital(s string) string {
	if strings.HasPrefix(s, "all ") || s == "both" {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

func (english) none() string { return "No lane fired every timer on time" }

func (english) flaw(r *LaneResult, fired int64) string {
	var parts []string
	if r.Rejected > 0 {
		parts = append(parts, "refused "+grouped(r.Rejected))
	}
	if r.Early > 0 {
		parts = append(parts, fmt.Sprintf("fired %s early, by up to %s", grouped(r.Early), plural(r.EarlyMax, "tick")))
	}
	if r.Late > 0 {
		parts = append(parts, fmt.Sprintf("fired %s late, by up to %s", grouped(r.Late), plural(r.LateMax, "tick")))
	}
	if r.Findings > 0 {
		parts = append(parts, "has "+plural(r.Findings, "finding"))
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("fired %s of %s", grouped(r.Fired), grouped(fired)))
	}
	return r.Lane + " " + strings.Join(parts, " and ")
}

func (english) others(n int) string {
	if n == 1 {
		return "one more lane was not exact either"
	}
	return strconv.Itoa(n) + " more lanes were not exact either"
}

func (english) work(c counter, dear, cheap *LaneResult, done bool) string {
	did := [counters]string{"examined %s", "touched %s", "made %s", "made %s between places"}[c]
	if done {
		did += " to do it"
	}
	what := [counters]string{"slot", "timer", "comparison", "move"}[c]
	return fmt.Sprintf("%s "+did+", %s %s; in all that is %s units of work against %s.",
		dear.Lane, plural(c.of(dear), what), cheap.Lane, grouped(c.of(cheap)), grouped(dear.Cost), grouped(cheap.Cost))
}

func (english) alike(lanes int, cost int64) string {
	return fmt.Sprintf("Each of the %d cost the same: %s of work.", lanes, plural(cost, "unit"))
}

func (english) alone(r *LaneResult) string {
	return fmt.Sprintf("That took %s of work, at most %s of them in one tick.", plural(r.Cost, "unit"), grouped(r.WorstTick))
}

func (english) worst(dear, cheap *LaneResult) string {
	return fmt.Sprintf("The costliest single tick costs %s units, at t = %d in %s; no tick of %s costs more than %s.",
		grouped(dear.WorstTick), dear.WorstTickAt, dear.Lane, cheap.Lane, grouped(cheap.WorstTick))
}

func (english) join(parts []string) string { return strings.Join(parts, "; ") + "." }

// chinese writes verdicts in Chinese.
type chinese struct{}

var hanNumerals = [...]string{"两", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"}

func (chinese) exact(lanes []string, all bool, did deeds) string {
	subject := lanes[0]
	if n := len(lanes); n > 1 {
		subject = strings.Join(lanes[:n-1], "、") + " 和 " + lanes[n-1] + " 都"
		if all {
			subject = fmt.Sprintf("%d 条泳道都", n)
			if n-2 < len(hanNumerals) {
				subject = hanNumerals[n-2] + "条泳道都"
			}
		}
	} else {
		subject += " "
	}
	fired, one := grouped(did.fired)+" 个定时器", "定时器"
	if did.runs {
		fired, one = grouped(did.fired)+" 次运行", "一次运行"
	}
	switch {
	case did.fired == 0:
		return subject + "没有触发任何定时器"
	case !did.whole:
		return subject + "触发了 " + fired + "，全都准时"
	case did.cancelled:
		return subject + "准时触发了未被取消的全部 " + fired
	case did.fired == 1:
		return subject + "准时触发了唯一的" + one
	}
	return subject + "准时触发了全部 " + fired
}

func (chinese) none() string { return "没有一条泳道准时触发了全部定时器" }

func (chinese) flaw(r *LaneResult, fired int64) string {
	var parts []string
	if r.Rejected > 0 {
		parts = append(parts, "拒绝了 "+grouped(r.Rejected)+" 个")
	}
	if r.Early > 0 {
		parts = append(parts, fmt.Sprintf("有 %s 个早触发，最多早 %s 个刻度", grouped(r.Early), grouped(r.EarlyMax)))
	}
	if r.Late > 0 {
		parts = append(parts, fmt.Sprintf("有 %s 个晚触发，最多晚 %s 个刻度", grouped(r.Late), grouped(r.LateMax)))
	}
	if r.Findings > 0 {
		parts = append(parts, "有 "+grouped(r.Findings)+" 处缺陷")
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("只触发了 %s 个中的 %s 个", grouped(fired), grouped(r.Fired)))
	}
	return r.Lane + " " + strings.Join(parts, "，")
}

func (chinese) others(n int) string { return fmt.Sprintf("另有 %d 条泳道也不准确", n) }

func (chinese) work(c counter, dear, cheap *LaneResult, done bool) string {
	did := [counters]string{"检查了 %s 个槽", "触及定时器 %s 次", "做了 %s 次比较", "移动了 %s 次"}[c]
	if done {
		did = "为此" + did
	}
	return fmt.Sprintf("%s "+did+"，%s 只有 %s；全部工作量为 %s 对 %s。",
		dear.Lane, grouped(c.of(dear)), cheap.Lane, grouped(c.of(cheap)), grouped(dear.Cost), grouped(cheap.Cost))
}

func (chinese) alike(lanes int, cost int64) string {
	return fmt.Sprintf("%d 条泳道的工作量相同：都是 %s。", lanes, grouped(cost))
}

func (chinese) alone(r *LaneResult) string {
	return fmt.Sprintf("工作量为 %s，最多的一个刻度为 %s。", grouped(r.Cost), grouped(r.WorstTick))
}

func (chinese) worst(dear, cheap *LaneResult) string {
	return fmt.Sprintf("最贵的一个刻度属于 %s：t = %d 时为 %s；%s 没有一个刻度超过 %s。",
		dear.Lane, dear.WorstTickAt, grouped(dear.WorstTick), cheap.Lane, grouped(cheap.WorstTick))
}

func (chinese) join(parts []string) string { return strings.Join(parts, "；") + "。" }
