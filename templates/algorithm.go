package templates

// AlgorithmPage is the data of the page about an algorithm.
type AlgorithmPage struct {
	Page             // data that all pages have: language, base path, texts, files
	Algorithm        // row of the algorithm in the table of all algorithms
	Summary   string // summary of the algorithm, one or two sentences
	Idea      string // how the algorithm works
	Structure string // data structure of the algorithm
	Fires     string // when timers fire
	Used      string // where the algorithm is used
	Slow      string // why the algorithm is inherently slow; "" if it is not
	Instead   string // what programs should use instead
	Sources   []string
	Costs     []OperationCost
	Code      []Procedure // pseudo-code
	Signs     []string    // variables of the pseudo-code that the page explains, such as "c" and "W"
	Settings  []Setting   // parameters of the algorithm
	Scenarios []Choice    // built-in scenarios with a lane of this algorithm
	Trial     string      // name of a small scenario for experiments, which the page embeds as a lab; "" for none
	Before    *Algorithm  // previous algorithm in the table of all algorithms; nil for the first
	After     *Algorithm  // next algorithm in the table of all algorithms; nil for the last
}

// AlgorithmList is the data of the page with the table of all algorithms.
type AlgorithmList struct {
	Page
	Algorithms []Algorithm
}

// Algorithm is a row of the table of algorithms.
type Algorithm struct {
	ID, Title         string
	Start, Stop, Tick string // cost of each operation, such as "O(1)"
	Early, Late       string // how early and how late a timer may fire
	Source            string
}

// OperationCost is the cost of the operation "start", "stop" or "tick", and the reason for it.
type OperationCost struct{ Operation, Cost, Why string }

// Procedure is a procedure of the pseudo-code.
type Procedure struct {
	Name  string // name of the procedure, such as "place"
	Lines []CodeLine
}

// CodeLine is a line of pseudo-code. Index is its index among the lines of all procedures, counting from 0.
type CodeLine struct {
	Index int
	Text  string
}

// Setting is a parameter of an algorithm as described on its page.
type Setting struct {
	Name    string
	Default string // default value; "" for none
	Range   string // permitted values: a range such as "1 … 65536", or a list of options
	List    bool   // whether the value may also be a list of numbers, each in Range
	Names   bool   // whether the value is a list of names, each of which is an option in Range
	Meaning string
}

// algorithmAddress returns the URL of the page of the algorithm with the given ID, or of the table of all
// algorithms if id is "".
func (p *Page) algorithmAddress(id string) string {
	path := "/algorithms"
	if id != "" {
		path += "/" + id
	}
	return p.at(path, p.Lang)
}

// rangeOf returns a description of the permitted values of parameter s.
func (p *Page) rangeOf(s *Setting) string {
	switch {
	case s.Names:
		return p.Texts.T("knowledge.setting.names", "options", s.Range)
	case s.List:
		return s.Range + ", " + p.Texts.T("knowledge.setting.list")
	}
	return s.Range
}

// defaultOf returns a description of the default of parameter s.
func (p *Page) defaultOf(s *Setting) string {
	if s.Default == "" {
		return p.Texts.T("knowledge.setting.none")
	}
	return s.Default
}
