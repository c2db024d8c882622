package scenario

// DistKind is a kind of distribution for a generated workload.
type DistKind uint8

const (
	DistConstant    DistKind = iota + 1 // always Value; or, if Every is set, arrivals at intervals of Every
	DistUniform                         // uniformly distributed from Min to Max, inclusive
	DistExponential                     // exponentially distributed with Mean, limited to Max
	DistPoisson                         // independent arrivals with the mean rate Rate; for arrivals only
	DistPareto                          // Min · U^(−1/Alpha), limited to Max; U is uniformly distributed in (0, 1]
	DistChoice                          // one of Values, with the probabilities given by Weights
)

var distNames = [...]string{DistConstant: "constant", DistUniform: "uniform", DistExponential: "exponential",
	DistPoisson: "poisson", DistPareto: "pareto", DistChoice: "choice"}

// String returns the name of the distribution in a scenario.
func (k DistKind) String() string { return distNames[k] }

// Dist is a distribution with its parameters. Parameters that a distribution of its kind does not have are
// zero.
type Dist struct {
	Kind    DistKind
	Value   Span
	Every   Span // interval of arrivals: timer i is scheduled at i·Every
	Min     Span
	Max     Span
	HasMax  bool // whether Max is given; only an exponential distribution may omit it
	Mean    Span
	Rate    Rate
	Alpha   Decimal // exponent of a Pareto distribution
	Values  []Span
	Weights []int64 // weights of the values; nil means that all values are equally likely
}
