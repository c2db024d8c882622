package templates

// AlgorithmPage is everything that an algorithm's own page shows.
type AlgorithmPage struct {
	Page             // what every page has: language, base path, texts, files
	Algorithm        // costs and guarantee, as in the list
	Summary   string // one or two sentences
	Idea      string
	Structure string
	Fires     string
	Used      string
	Slow      string // why it is slower by nature; "" where it is not
	Instead   string // what a program may do better with
	Sources   []string
	Costs     []OperationCost
	Code      []Procedure
	Signs     []string // those of the code that need a word: "c", "W" …
	Settings  []Setting
	Scenarios []Choice // built-in ones with a lane of it
	Trial     string   // name of the scenario to play with, "" for none
	Before    *Algorithm
	After     *Algorithm
}

// AlgorithmList is the table of all algorithms.
type AlgorithmList struct {
	Page
	Algorithms []Algorithm
}

// Algorithm is a row of the table of algorithms.
type Algorithm struct {
	ID, Title         string
	Start, Stop, Tick string // costs: "O(1)"
	Early, Late       string // when it may fire
	Source            string
}

// OperationCost is what "start", "stop" or "tick" costs, and why.
type OperationCost struct{ Operation, Cost, Why string }

// Procedure is a part of the pseudo-code.
type Procedure struct {
	Name  string // "place"
	Lines []CodeLine
}

// CodeLine is one line of pseudo-code; Index counts from 0 through all procedures.
type CodeLine struct {
	Index int
	Text  string
}

// Setting is a parameter of an algorithm.
type Setting struct {
	Name    string
	Default string // "" for none
	Range   string // "1 … 65536", or the options
	List    bool   // a list of such numbers may be given too
	Names   bool   // any of the options may be given
	Meaning string
}

// algorithmAddress is where an algorithm's page is, or with "" the table of all.
func (p *Page) algorithmAddress(id string) string {
	path := p.Base + "/algorithms"
	if id != "" {
		path += "/" + id
	}
	return path + "?lang=" + p.Lang
}

// inLanguage is the page as it would be in another language, for its addresses.
func (p *Page) inLanguage(lang string) *Page { return &Page{Lang: lang, Base: p.Base} }

// rangeOf tells what a parameter takes.
func (p *Page) rangeOf(s *Setting) string {
	switch {
	case s.Names:
		return p.Texts.T("knowledge.setting.names", "options", s.Range)
	case s.List:
		return s.Range + ", " + p.Texts.T("knowledge.setting.list")
	}
	return s.Range
}

// defaultOf tells what is taken where a parameter is left out.
func (p *Page) defaultOf(s *Setting) string {
	if s.Default == "" {
		return p.Texts.T("knowledge.setting.none")
	}
	return s.Default
}
