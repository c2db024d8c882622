// Package catalog defines the type [Algorithm], which describes a timer algorithm: its parameters
// with their bounds and defaults, and the function that creates a wheel from them. The package of
// each algorithm exports such a description, and package algorithms lists them. The texts that
// explain the algorithms to users are in static/knowledge.
//
// Start reading at [Algorithm] and [Parameter]. The functions in parameters.go create parameters
// that several algorithms share, so that their bounds agree.
package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wheelscope/wheelscope/wheel"
)

// Values of Parameter.Type.
const (
	TypeInt    = "int"    // the value is an int64
	TypeInts   = "ints"   // the value is an int64, or a []int64 with one number per level of the wheel
	TypeTick   = "tick"   // the value is an int64, a number of base ticks; a scenario file may contain a duration such as "5ms" instead
	TypeChoice = "choice" // the value is a string, one of Parameter.Options
	TypeNames  = "names"  // the value is a []string of distinct elements of Parameter.Options, possibly empty
	TypeText   = "text"   // the value is a string of Parameter.Min to Parameter.Max bytes
)

// Parameter describes a parameter of an algorithm and its valid values.
type Parameter struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`              // TypeInt, TypeInts, TypeTick, TypeChoice, TypeNames or TypeText
	Default any      `json:"default"`           // nil means that there is no default and the parameter may be absent
	Min     int64    `json:"min"`               // least value of a number, or of each number of a list
	Max     int64    `json:"max"`               // greatest value of a number, or of each number of a list
	Options []string `json:"options,omitempty"` // valid strings, if Type is TypeChoice or TypeNames
}

// Algorithm describes a timer algorithm for the catalogue. It must not be modified after it has
// been registered. It can then be used by multiple goroutines at once.
type Algorithm struct {
	ID         string
	Source     string // paper, project or file in which the algorithm was published
	Parameters []Parameter

	// Build creates a wheel from parameters returned by Fill. It returns a *wheel.ParamError if
	// the combination of values is invalid.
	Build func(p Params, env Env) (wheel.Observable, error)
	// Coarse means that timers can fire at a tick other than their due tick even if the "width"
	// parameter is 1, for example because some slots are wider than a base tick.
	Coarse bool
	// MayBeLate means that a timer can fire late even if every slot is one base tick wide.
	MayBeLate bool
	// AddsLevels means that the wheel adds levels with as many slots as its first when a timer needs them, unless its
	// parameters list the levels.
	AddsLevels bool
	// TimerBytes is the memory in bytes that a pending timer takes at most, in addition to 128 bytes for its handle, its
	// node, its place in a slot or a heap, and its expiry.
	TimerBytes int64
	TimersMax  int64 // maximum number of pending timers; 0 means that any number can be pending
}

// Exact reports whether the algorithm with parameters p fires every timer at its due tick. It
// returns false if a.Coarse or a.MayBeLate is set, if the width is not 1, if p lists faults, or if
// p has a "variant" other than "exact" or a "migration" other than "full". Missing parameters of p
// must have been filled in by Fill.
func (a *Algorithm) Exact(p Params) bool {
	if width, ok := p["width"].(int64); ok && width != 1 {
		return false
	}
	if list, ok := p["faults"].([]string); ok && len(list) > 0 {
		return false
	}
	migration, ok := p["migration"]
	variant, varies := p["variant"]
	return !a.Coarse && !a.MayBeLate && (!varies || variant == "exact") && (!ok || migration == "full")
}

// Params maps the names of an algorithm's parameters to their values. A value is an int64, []int64,
// string or []string; [Algorithm.Fill] also accepts int and []int.
type Params map[string]any

// Env holds the settings of a new wheel that are not parameters of its algorithm.
type Env struct {
	Start     wheel.Tick // initial tick of the clock, 0 ≤ Start ≤ TickMax
	TickNanos int64      // nanoseconds per base tick, for algorithms that compute in seconds; 0 means one second
}

// Fill returns a copy of p to which the defaults of missing parameters have been added. It checks
// each value separately. It returns a *wheel.ParamError if a value is invalid, or if p has a
// parameter that the algorithm does not have.
func (a *Algorithm) Fill(p Params) (Params, error) {
	if err := a.checkKnown(p); err != nil {
		return nil, err
	}
	filled := make(Params, len(a.Parameters))
	for _, q := range a.Parameters {
		v, given := p[q.Name]
		if !given {
			if q.Default != nil {
				filled[q.Name] = q.Default
			}
			continue
		}
		v = wide(v)
		if err := q.check(v); err != nil {
			return nil, err
		}
		filled[q.Name] = v
	}
	return filled, nil
}

// checkKnown returns an error for the alphabetically first name in p that is not a parameter of the
// algorithm.
func (a *Algorithm) checkKnown(p Params) error {
	names := make([]string, len(a.Parameters))
	for i, q := range a.Parameters {
		names[i] = q.Name
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if !slices.Contains(names, name) {
			return &wheel.ParamError{Name: name, Found: "this", Want: "a parameter of %s; those are %s", Args: []any{a.ID, strings.Join(names, ", ")}}
		}
	}
	return nil
}

// wide converts an int or []int to int64 or []int64 and returns any other value unchanged.
func wide(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case []int:
		list := make([]int64, len(v))
		for i, n := range v {
			list[i] = int64(n)
		}
		return list
	}
	return v
}

func (q *Parameter) check(v any) error {
	switch v := v.(type) {
	case int64:
		if q.Type != TypeChoice && q.Type != TypeNames && q.Type != TypeText {
			return q.checkNumber(q.Name, v)
		}
	case []int64:
		if q.Type == TypeInts {
			return q.checkList(v)
		}
	case string:
		if q.Type == TypeChoice {
			return q.checkOption(q.Name, v)
		}
		if q.Type == TypeText {
			return q.checkText(v)
		}
	case []string:
		if q.Type == TypeNames {
			return q.checkNames(v)
		}
	}
	want, args := q.wants()
	return &wheel.ParamError{Name: q.Name, Found: fmt.Sprint(v), Want: want, Args: args}
}

func (q *Parameter) checkNumber(name string, v int64) error {
	switch {
	case v >= q.Min && v <= q.Max:
		return nil
	case q.Min == q.Max:
		return &wheel.ParamError{Name: name, Found: fmt.Sprint(v), Want: "%d: nothing else is possible here", Args: []any{q.Min}}
	default:
		return &wheel.ParamError{Name: name, Found: fmt.Sprint(v), Want: "between %d and %d", Args: []any{q.Min, q.Max}}
	}
}

func (q *Parameter) checkList(v []int64) error {
	if len(v) < 1 || len(v) > wheel.LevelsMax {
		return &wheel.ParamError{Name: q.Name, Found: fmt.Sprintf("a list of %d", len(v)), Items: len(v), Want: "a list of %d to %d sizes", Args: []any{1, wheel.LevelsMax}}
	}
	for i, n := range v {
		if err := q.checkNumber(fmt.Sprintf("%s[%d]", q.Name, i), n); err != nil {
			return err
		}
	}
	return nil
}

func (q *Parameter) checkOption(name, v string) error {
	if !slices.Contains(q.Options, v) {
		return &wheel.ParamError{Name: name, Found: fmt.Sprintf("%q", v), Want: "one of %s", Args: []any{strings.Join(q.Options, ", ")}}
	}
	return nil
}

func (q *Parameter) checkText(v string) error {
	if n := int64(len(v)); n < q.Min || n > q.Max || !utf8.ValidString(v) {
		return &wheel.ParamError{Name: q.Name, Found: fmt.Sprintf("a text of %d bytes", n), Want: "a text in UTF-8 of %d to %d bytes", Args: []any{q.Min, q.Max}}
	}
	return nil
}

// checkNames returns an error if an element of v is not in q.Options or occurs twice.
func (q *Parameter) checkNames(v []string) error {
	for i, name := range v {
		path := fmt.Sprintf("%s[%d]", q.Name, i)
		if err := q.checkOption(path, name); err != nil {
			return err
		}
		if slices.Contains(v[:i], name) {
			return &wheel.ParamError{Name: path, Found: fmt.Sprintf("%q, a second time,", name), Want: "a name of its own"}
		}
	}
	return nil
}

// wants returns a description of the valid values of q, for a ParamError.
func (q *Parameter) wants() (format string, args []any) {
	switch q.Type {
	case TypeChoice:
		return "one of %s", []any{strings.Join(q.Options, ", ")}
	case TypeNames:
		return "a list of names out of %s", []any{strings.Join(q.Options, ", ")}
	case TypeText:
		return "a text in UTF-8 of %d to %d bytes", []any{q.Min, q.Max}
	case TypeInts:
		return "a number between %d and %d, or a list of them", []any{q.Min, q.Max}
	}
	return "a number between %d and %d", []any{q.Min, q.Max}
}

// Grows reports whether a wheel with parameters p adds levels when a timer needs them.
func (a *Algorithm) Grows(p Params) bool {
	_, equal := p["slots"].(int64)
	_, fixed := p["levels"]
	return a.AddsLevels && equal && !fixed
}
