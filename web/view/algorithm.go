package view

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// algorithmAt returns the row of the algorithm with index i in algorithms.Catalogue(), or nil if i is out of range.
func algorithmAt(i int, lang string) *templates.Algorithm {
	if i < 0 || i >= len(algorithms.Catalogue()) {
		return nil
	}
	return algorithmRow(&algorithms.Catalogue()[i], lang)
}

// algorithmRow returns the row of an algorithm in the table of all algorithms, or nil if there is no text about it.
func algorithmRow(a *catalog.Algorithm, lang string) *templates.Algorithm {
	k, ok := knowledge.Of(a.ID)
	if !ok {
		return nil
	}
	return &templates.Algorithm{ID: a.ID, Title: k.Title.In(lang), Source: a.Source,
		Start: k.Start.Term(lang), Stop: k.Stop.Term(lang), Tick: k.Tick.Term(lang),
		Early: k.Guarantee.Early.In(lang), Late: k.Guarantee.Late.In(lang)}
}

// Catalogue returns the page with the table of all algorithms. page is the data that all pages need.
func Catalogue(page templates.Page) templates.AlgorithmList {
	list := templates.AlgorithmList{Page: page}
	for i := range algorithms.Catalogue() {
		if row := algorithmAt(i, list.Lang); row != nil {
			list.Algorithms = append(list.Algorithms, *row)
		}
	}
	return list
}

// Algorithm returns the page about the algorithm with the given ID, or false if there is none. page is the data
// that all pages need.
func Algorithm(page templates.Page, id string) (templates.AlgorithmPage, bool) {
	a, found := algorithms.Lookup(id)
	k, ok := knowledge.Of(id)
	if !found || !ok {
		return templates.AlgorithmPage{}, false
	}
	v := describeAlgorithm(k, a, page)
	v.Algorithm = *algorithmRow(a, v.Lang)
	if at := slices.IndexFunc(algorithms.Catalogue(), func(a catalog.Algorithm) bool { return a.ID == id }); at >= 0 {
		v.Before, v.After = algorithmAt(at-1, v.Lang), algorithmAt(at+1, v.Lang)
	}
	return v, true
}

// describeAlgorithm returns the page about algorithm a, with the texts in k. The caller must set the fields
// Algorithm, Before and After of the result.
func describeAlgorithm(k *knowledge.Page, a *catalog.Algorithm, page templates.Page) templates.AlgorithmPage {
	lang := page.Lang
	v := templates.AlgorithmPage{Page: page, Summary: k.Summary.In(lang), Idea: k.Idea.In(lang), Structure: k.Structure.In(lang),
		Fires: k.Fires.In(lang), Used: k.Used.In(lang), Instead: k.Instead.In(lang), Sources: k.Sources, Code: procedures(k, lang), Signs: variablesOf(k)}
	if k.Slow != nil {
		v.Slow = k.Slow.In(lang)
	}
	for _, o := range []struct {
		name string
		cost *knowledge.Cost
	}{{"start", &k.Start}, {"stop", &k.Stop}, {"tick", &k.Tick}} {
		v.Costs = append(v.Costs, templates.OperationCost{Operation: o.name, Cost: o.cost.Term(lang), Why: o.cost.In(lang)})
	}
	for i := range a.Parameters {
		v.Settings = append(v.Settings, settingOf(&a.Parameters[i], k, lang))
	}
	for _, b := range library.Builtins() {
		if slices.Contains(b.Algorithms, a.ID) {
			v.Scenarios = append(v.Scenarios, templates.Choice{Name: b.Name, Title: b.Title.In(lang), Summary: b.Summary.In(lang)})
		}
	}
	if t, ok := library.Trial(a.ID); ok {
		v.Trial = t.Name
	}
	return v
}

// procedures returns the procedures of the pseudo-code in k, in order, with texts in the language lang.
func procedures(k *knowledge.Page, lang string) (list []templates.Procedure) {
	for i := range k.Code {
		l := &k.Code[i]
		if len(list) == 0 || list[len(list)-1].Name != l.Proc {
			list = append(list, templates.Procedure{Name: l.Proc})
		}
		proc := &list[len(list)-1]
		proc.Lines = append(proc.Lines, templates.CodeLine{Index: i, Text: l.In(lang)})
	}
	return list
}

// variable matches the letters c, u, n, e, j and W where they are not part of a word. In pseudo-code, these are the
// variables that a page may have to explain.
var variable = regexp.MustCompile(`(?:^|[^\p{L}'’])([cunejW])(?:$|[^\p{L}])`)

// variablesOf returns the variables in the pseudo-code of k that the page must explain, in order of their first
// use.
func variablesOf(k *knowledge.Page) (signs []string) {
	for i := range k.Code {
		// Adjacent matches share the character between them, so they are found one at a time.
		for text := k.Code[i].Text; ; {
			m := variable.FindStringSubmatchIndex(text)
			if m == nil {
				break
			}
			if s := text[m[2]:m[3]]; !slices.Contains(signs, s) {
				signs = append(signs, s)
			}
			text = text[m[3]:]
		}
	}
	return signs
}

// settingOf returns parameter q as shown on the page about its algorithm, with the description of the parameter
// from k in the language lang.
func settingOf(q *catalog.Parameter, k *knowledge.Page, lang string) templates.Setting {
	s := templates.Setting{Name: q.Name, Meaning: k.Parameters[q.Name].In(lang), Range: fmt.Sprintf("%d … %d", q.Min, q.Max),
		List: q.Type == catalog.TypeInts, Names: q.Type == catalog.TypeNames}
	if q.Default != nil {
		s.Default = fmt.Sprint(q.Default)
	}
	if q.Min == q.Max {
		s.Range = fmt.Sprint(q.Min)
	}
	if len(q.Options) > 0 {
		s.Range = strings.Join(q.Options, ", ")
	}
	return s
}
