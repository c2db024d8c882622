package wheeltest

// A Property is a rule that timers must follow.
type Property struct {
	Name string // a few words that describe the rule; also the name of the subtest
	Rule string // the correct behaviour, in one sentence
	Seen string // libraries that were found to break the rule, some with details; "" if there are none
	Real bool   // whether the rule is only meaningful in real time

	needs  func(Timers) bool // reports whether the implementation has the methods that the property calls; nil if those of Timers suffice
	ops    bool              // whether the property performs random operations
	closes bool              // whether the property closes the implementation
	body   func(*checker)    // checks the property
}

// Properties returns all properties, in the order in which they are checked.
func Properties() []Property {
	var all []Property
	for _, of := range [][]Property{arithmetic, cancelling, keyed, repeating, callbacks, life, random, contention} {
		all = append(all, of...)
	}
	return all
}

func has[T any](w Timers) bool {
	_, ok := w.(T)
	return ok
}
