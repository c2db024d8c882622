package scenario

// DistKind is a kind of distribution for a generated workload.
type DistKind uint8

const (
	DistConstant    DistKind = iota + 1 // always Value or, in Group.Arrivals only, timers at constant intervals of Every
	DistUniform                         // uniform distribution from Min to Max, inclusive
	DistExponential                     // exponential distribution with mean Mean, limited to Max if HasMax is set
	DistPoisson                         // Poisson process with rate Rate; permitted only in Group.Arrivals
	DistPareto                          // Min · U^(−1/Alpha), limited to Max; U is uniformly distributed in (0, 1]
	DistChoice                          // one of Values, with the probabilities given by Weights
)

var distNames = [...]string{DistConstant: "constant", DistUniform: "uniform", DistExponential: "exponential",
	DistPoisson: "poisson", DistPareto: "pareto", DistChoice: "choice"}

// String returns the name of k in scenario files, such as "uniform".
func (k DistKind) String() string { return distNames[k] }

// Dist is a distribution with its parameters. Parameters that do not apply to its kind are zero.
type Dist struct {
	Kind    DistKind
	Value   Span
	Every   Span // interval between the timers of a group: timer i, counting from 0, is scheduled at tick i·Every
	Min     Span
	Max     Span
	HasMax  bool // whether Max is given; only an exponential distribution may omit it
	Mean    Span
	Rate    Rate
	Alpha   Decimal // exponent of a Pareto distribution
	Values  []Span
	Weights []int64 // weights of the values; nil means that all values are equally likely
}
