package catalog

import "github.com/wheelscope/wheelscope/wheel"

// Guarantees that are the same for several algorithms.
var (
	Never          = Text{"never", "绝不"}
	OnTime         = Text{"never early or late at width 1; up to width − 1 base ticks late otherwise", "宽度为 1 时分毫不差；否则最多晚 width − 1 个基本刻度"}
	NeverRoundedUp = Text{"never; by up to width − 1 base ticks with rounding floor", "绝不；rounding 为 floor 时最多提前 width − 1 个基本刻度"}
	NeverLate      = Text{"never: the tick is the base tick", "绝不：其刻度就是基本刻度"}
)

// SlotsParameter returns the parameter slots, with the default def and the minimum
// least.
func SlotsParameter(def, least int64) Parameter {
	return Parameter{Name: "slots", Type: TypeInt, Default: def, Min: least, Max: wheel.SlotsMax,
		Meaning: Text{"slots of the wheel", "时间轮的槽数"}}
}

// WidthParameter returns the parameter width, at most `most`. If most is 1 it can't be changed.
func WidthParameter(most int64) Parameter {
	meaning := Text{"base ticks a slot of level 0 spans", "第 0 层一个槽跨越的基本刻度数"}
	if most == 1 {
		meaning = Text{"always 1: its tick is the base tick", "恒为 1：其刻度就是基本刻度"}
	}
	return Parameter{Name: "width", Type: TypeTick, Default: int64(1), Min: 1, Max: most, Meaning: meaning}
}

// Choice returns a parameter that takes one of several names.
func Choice(name, def string, meaning Text, options ...string) Parameter {
	return Parameter{Name: name, Type: TypeChoice, Default: def, Options: options, Meaning: meaning}
}

// RoundingParameter returns the parameter rounding. It has no default, so that the header of
// a trace whose scenario leaves it out is the same as before there was a choice.
func RoundingParameter() Parameter {
	return Parameter{Name: "rounding", Type: TypeChoice, Options: []string{"ceil", "floor"},
		Meaning: Text{"how a due tick between two slots is rounded: ceil (if left out) to the slot after it, never early; floor to the one before it, up to width − 1 base ticks early",
			"到期刻度落在两个槽之间时如何取整：ceil（缺省）取后一个槽，绝不提前；floor 取前一个槽，最多提前 width − 1 个基本刻度"}}
}

// FaultParameters returns the parameters of an algorithm whose published rule has the faults
// named; meaning describes them.
func FaultParameters(names []string, meaning Text) []Parameter {
	return []Parameter{
		Choice("as", asPublished, Text{"the rule as it was published, faults and all, or with every fault corrected; faults overrules it",
			"按发布的规则（包括所有缺陷），或所有缺陷均已修正；若给出 faults 则以其为准"}, asPublished, AsCorrected),
		{Name: "faults", Type: TypeNames, Options: names, Meaning: meaning},
	}
}

// Values of the parameter as: which rule to follow if the published one has faults.
const (
	asPublished = "published"
	AsCorrected = "corrected"
)
