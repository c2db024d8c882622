package catalog

import "github.com/wheelscope/wheelscope/wheel"

// SlotsParameter returns the "slots" parameter, the number of slots of a wheel. def is its default
// value, and least is its minimum value.
func SlotsParameter(def, least int64) Parameter {
	return Parameter{Name: "slots", Type: TypeInt, Default: def, Min: least, Max: wheel.SlotsMax}
}

// WidthParameter returns the "width" parameter, the number of base ticks per slot of level 0. It
// defaults to 1 and must not exceed maxWidth. If maxWidth is 1, the width is fixed.
func WidthParameter(maxWidth int64) Parameter {
	return Parameter{Name: "width", Type: TypeTick, Default: int64(1), Min: 1, Max: maxWidth}
}

// Choice returns a parameter whose value is one of options. The first option is the default.
func Choice(name string, options ...string) Parameter {
	return Parameter{Name: name, Type: TypeChoice, Default: options[0], Options: options}
}

// RoundingParameter returns the "rounding" parameter, which selects how a due tick between two
// slots is rounded: "ceil" rounds to the later slot, "floor" to the earlier one. If the parameter
// is missing, wheels round to the later slot. The parameter has no default value, because a default
// would be added to the headers of existing traces, which must not change.
func RoundingParameter() Parameter {
	return Parameter{Name: "rounding", Type: TypeChoice, Options: []string{"ceil", "floor"}}
}

// FaultParameters returns the "as" and "faults" parameters, which switch on faults of a published
// rule. names lists the names of all faults. The "as" parameter is "published" (all faults, the
// default) or "corrected" (no faults). The "faults" parameter is a list of fault names. If it is
// present, it overrides "as": only the faults in the list are switched on.
func FaultParameters(names []string) []Parameter {
	return []Parameter{Choice("as", asPublished, AsCorrected), {Name: "faults", Type: TypeNames, Options: names}}
}

// Values of the "as" parameter: follow the published rule with its faults, or the corrected rule.
const (
	asPublished = "published"
	AsCorrected = "corrected"
)
