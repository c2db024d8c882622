package knowledge

import (
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Entry describes an algorithm of the catalogue, including its texts. The command "wheelscope algorithms
// --json" and the URL path /api/algorithms of a server return a list of entries.
type Entry struct {
	ID         string      `json:"id"`
	Title      Text        `json:"title"`
	Summary    Text        `json:"summary"`
	Source     string      `json:"source"`
	Guarantee  Guarantee   `json:"guarantee"`
	Parameters []Parameter `json:"parameters"`
}

// Parameter is a parameter of an algorithm, with its description.
type Parameter struct {
	catalog.Parameter
	Meaning Text `json:"meaning"`
}

// Entries returns the entries of the algorithms in list, in the same order. An algorithm without a [Page] has
// its ID as the title and no other texts.
func Entries(list []catalog.Algorithm) []Entry {
	entries := make([]Entry, 0, len(list))
	for i := range list {
		a := &list[i]
		e := Entry{ID: a.ID, Title: Title(a.ID), Source: a.Source, Parameters: []Parameter{}}
		p, ok := Of(a.ID)
		if !ok {
			p = &Page{}
		}
		e.Summary, e.Guarantee = p.Summary, p.Guarantee
		for _, q := range a.Parameters {
			e.Parameters = append(e.Parameters, Parameter{q, p.Parameters[q.Name]})
		}
		entries = append(entries, e)
	}
	return entries
}

// Title returns the title of the algorithm with the given ID, or the ID if the algorithm has no [Page].
func Title(id string) Text {
	if p, ok := Of(id); ok {
		return p.Title
	}
	return Text{id, id}
}

// Facts holds the properties of a lane's wheel and the title of its algorithm.
type Facts struct {
	Algorithm string `json:"algorithm"`
	Title     Text   `json:"title"`
	algorithms.Facts
}

// Titled returns f with the title of its algorithm.
func Titled(f algorithms.Facts) Facts { return Facts{f.Algorithm, Title(f.Algorithm), f} }
