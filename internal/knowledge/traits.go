package knowledge

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

//go:generate go run traits_gen.go

// Traits holds properties of an algorithm, other than its parameters, on which pictures, formulas and
// explanations depend. The scripts of the page use the same values, from static/js/state/traits.js, which
// [Script] generates.
type Traits struct {
	// Slot is the rule by which the algorithm chooses the slot for a due tick. It is empty if the choice
	// depends on more than the due tick. Otherwise the slot is one of the following numbers, modulo the
	// number of slots:
	//
	//   - "ceil": due/width, after due has been rounded up to a multiple of the width of level 0
	//   - "floor": due/width
	//   - "after": due/width + 1
	//   - "own": due/width, where due is relative to the start of the wheel; the slot is processed after the
	//     last tick that it covers
	//   - "page": due/width; the timers of the slot are not all processed at the same tick
	Slot     string `json:"slot,omitzero"`
	Hashed   bool   `json:"hashed,omitzero"`   // whether slots also hold timers of later revolutions
	Sorted   bool   `json:"sorted,omitzero"`   // whether the timers of a slot are in order of due tick
	Formula  string `json:"formula,omitzero"`  // name of a formula in static/js/story/formulas.js; empty means slot = due mod slots
	Bias     string `json:"bias,omitzero"`     // "early" if a timer may fire early, "both" if early or late; empty means never early
	Rows     bool   `json:"rows,omitzero"`     // whether the levels are drawn as rows instead of rings
	Past     bool   `json:"past,omitzero"`     // whether a timer scheduled after its due tick fires at the next tick, not immediately
	Compares bool   `json:"compares,omitzero"` // whether visiting a slot examines every timer in it, including those that remain there
	Side     string `json:"side,omitzero"`     // "pending" if level −1 is a queue of timers that are not placed yet; empty if it is a side list
}

// TraitsOf returns the traits of the algorithm with the given ID, or the zero Traits if it has no [Page].
func TraitsOf(id string) Traits {
	if p, ok := Of(id); ok {
		return p.Traits
	}
	return Traits{}
}

// traitTypes returns the fields of Traits and their types in JSDoc syntax.
func traitTypes() string {
	var fields []string
	for f := range reflect.TypeFor[Traits]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		typ := "string"
		if f.Type.Kind() == reflect.Bool {
			typ = "boolean"
		}
		fields = append(fields, name+"?: "+typ)
	}
	return strings.Join(fields, ", ")
}

// Script returns the text of the generated file static/js/state/traits.js, a module with the traits of all
// algorithms.
func Script() (string, error) {
	var b strings.Builder
	b.WriteString("// @ts-check\n/** The traits of each algorithm. Generated from static/knowledge/*.json by make generate. DO NOT EDIT. */\n\n" +
		"/** @typedef {{" + traitTypes() + "}} Traits see internal/knowledge/traits.go */\n\n" +
		"/** @type {Record<string, Traits>} */\nconst TRAITS = {\n")
	all := pages()
	for _, id := range slices.Sorted(maps.Keys(all)) {
		traits, err := json.Marshal(all[id].Traits)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  %q: %s,\n", id, traits)
	}
	b.WriteString("};\n\n/** Returns the traits of an algorithm, or an empty object if the algorithm is unknown. @param {string|undefined} algorithm @returns {Traits} */\n" +
		"export function traitsOf(algorithm) {\n  return TRAITS[algorithm ?? \"\"] ?? {};\n}\n")
	return b.String(), nil
}
