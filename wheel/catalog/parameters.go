package catalog

import "github.com/wheelscope/wheelscope/wheel"

// SlotsParameter returns the parameter slots, the number of slots of a wheel, with the default def
// and the minimum least.
func SlotsParameter(def, least int64) Parameter {
	return Parameter{Name: "slots", Type: TypeInt, Default: def, Min: least, Max: wheel.SlotsMax}
}

// WidthParameter returns the parameter width, the base ticks that a slot of level 0 spans, at most
// `most`. If most is 1 it can't be changed.
func WidthParameter(most int64) Parameter {
	return Parameter{Name: "width", Type: TypeTick, Default: int64(1), Min: 1, Max: most}
}

// Choice returns a parameter that takes one of several names, by default the first.
func Choice(name string, options ...string) Parameter {
	return Parameter{Name: name, Type: TypeChoice, Default: options[0], Options: options}
}

// RoundingParameter returns the parameter rounding: how a due tick between two slots is rounded,
// with ceil to the slot after it, with floor to the one before it. It has no default, so that the
// header of a trace whose scenario leaves it out is the same as before there was a choice.
func RoundingParameter() Parameter {
	return Parameter{Name: "rounding", Type: TypeChoice, Options: []string{"ceil", "floor"}}
}

// FaultParameters returns the parameters of an algorithm whose published rule has the faults
// named: as, and faults, which overrules it.
func FaultParameters(names []string) []Parameter {
	return []Parameter{Choice("as", asPublished, AsCorrected), {Name: "faults", Type: TypeNames, Options: names}}
}

// Values of the parameter as: which rule to follow if the published one has faults.
const (
	asPublished = "published"
	AsCorrected = "corrected"
)
