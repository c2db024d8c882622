package wheeltest

// A Property is a rule that timers must follow.
type Property struct {
	Name string // a few words that describe the rule; also the name of the subtest
	Rule string // the correct behaviour, in one sentence
	Seen string // libraries that were found to break the rule, some with details; "" if there are none
	Real bool   // whether the rule is only meaningful in real time

	needs func(Timers) bool // reports whether the implementation has the methods that the property calls; nil if those of Timers suffice
	ops   bool              // whether the property performs random operations, which are simplified after a failure
	body  func(*checker)    // checks the property
}

// Properties returns all properties, in the order in which they are checked.
func Properties() []Property {
	var all []Property
	for _, of := range [][]Property{arithmetic, cancelling, keyed, repeating, callbacks, life, random, contention} {
		all = append(all, of...)
	}
	return all
}

func find(name string) (Property, bool) {
	for _, p := range append(Properties(), probe, tickProbe) {
		if p.Name == name {
			return p, true
		}
	}
	return Property{}, false
}

func has[T any](w Timers) bool {
	_, ok := w.(T)
	return ok
}

// probe is checked before all properties to find out whether the implementation works in fake time.
var probe = Property{
	Name: "bubble",
	Rule: "what is armed in a bubble of testing/synctest fires there",
	body: func(x *checker) {
		s := x.after(3 * x.tick)
		x.pass(100 * x.tick)
		if len(s.times()) == 0 {
			x.failf("nothing fired")
		}
	},
}

// tickProbe is a property that checks nothing. The parent obtains the tick of the implementation from the report of
// this check.
var tickProbe = Property{Name: "tick", Rule: "there is a tick", Real: true, body: func(*checker) {}}
