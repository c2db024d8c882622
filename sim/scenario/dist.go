package scenario

// DistKind is the kind of a distribution that a generated workload draws from.
type DistKind uint8

const (
	DistConstant    DistKind = iota + 1 // Value; as arrivals also Every
	DistUniform                         // Min to Max, both included
	DistExponential                     // with Mean, limited to Max
	DistPoisson                         // arrivals only: independent, with the mean Rate
	DistPareto                          // Min · U^(−1/Alpha), limited to Max
	DistChoice                          // one of Values, by Weights
)

var distNames = [...]string{DistConstant: "constant", DistUniform: "uniform", DistExponential: "exponential",
	DistPoisson: "poisson", DistPareto: "pareto", DistChoice: "choice"}

// String returns the distribution's name in a scenario.
func (k DistKind) String() string { return distNames[k] }

// Dist is a distribution with its parameters. Parameters that its kind does not have are zero.
type Dist struct {
	Kind    DistKind
	Value   Span
	Every   Span // of arrivals: timer i is scheduled at i·Every
	Min     Span
	Max     Span
	HasMax  bool // an exponential distribution may have no Max
	Mean    Span
	Rate    Rate
	Alpha   Decimal
	Values  []Span
	Weights []int64 // nil: all values are equally likely
}
