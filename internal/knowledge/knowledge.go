// Package knowledge provides the descriptions of the algorithms in the catalogue: the idea, costs, uses and
// pseudo-code. It also determines which line of the pseudo-code an event executes. The texts are in
// static/knowledge/ID.json, because the page's scripts read the same files.
//
// Start reading at [Page]. lines.go selects the line of an event.
package knowledge

import (
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/static"
)

// Text is a string in English and Chinese. In JSON it is either an object that contains both, or a string: the key of a
// message in [static.Messages] that several algorithms share.
type Text struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

// In returns the text in the given language, "en" or "zh".
func (t Text) In(lang string) string {
	if lang == "zh" {
		return t.ZH
	}
	return t.EN
}

// UnmarshalJSON decodes either an object that contains the text in both languages, or a string that is the key of a
// shared text.
func (t *Text) UnmarshalJSON(data []byte) error {
	var key string
	if json.Unmarshal(data, &key) != nil {
		type plain Text
		return json.Unmarshal(data, (*plain)(t))
	}
	en, ok := static.Messages("en")[key]
	if !ok {
		return fmt.Errorf("%q is not the key of a text", key)
	}
	*t = Text{en, static.Messages("zh")[key]}
	return nil
}

// Page is the description of one algorithm.
type Page struct {
	ID         string          `json:"id"` // ID of the algorithm in algorithms.Catalogue
	Title      Text            `json:"title"`
	Summary    Text            `json:"summary"`
	Guarantee  Guarantee       `json:"guarantee"`
	Parameters map[string]Text `json:"parameters"` // meaning of each parameter, by name
	Traits     Traits          `json:"traits"`
	Idea       Text            `json:"idea"`
	Structure  Text            `json:"structure"`
	Start      Cost            `json:"start"`          // cost of scheduling a timer
	Stop       Cost            `json:"stop"`           // cost of cancelling a timer
	Tick       Cost            `json:"tick"`           // cost of advancing by one tick
	Fires      Text            `json:"fires"`          // when a timer fires, relative to its due tick
	Used       Text            `json:"used"`           // where the algorithm is used
	Slow       *Text           `json:"slow,omitempty"` // why the algorithm is inherently slower than others; nil means it is not
	Instead    Text            `json:"instead"`        // what programs should use instead of the algorithm
	Sources    []string        `json:"sources"`        // for each source, paper and section, or project and file
	Code       []Line          `json:"code"`           // lines of pseudo-code in order; the lines of a procedure are contiguous
}

// Guarantee describes how far from its due tick a timer may fire.
type Guarantee struct {
	Early Text `json:"early"`
	Late  Text `json:"late"`
}

// Cost is the cost of an operation: a term such as "O(log n)" and the reason for it, in English (EN) and
// Chinese (ZH).
type Cost struct {
	Cost   string `json:"cost"`
	CostZH string `json:"costZh,omitempty"` // Chinese form of Cost; "" if Cost contains no words
	EN     string `json:"en"`
	ZH     string `json:"zh"`
}

// Term returns the cost as a term, such as "O(log n)", in the language lang.
func (c *Cost) Term(lang string) string {
	if lang == "zh" && c.CostZH != "" {
		return c.CostZH
	}
	return c.Cost
}

// In returns the reason for the cost in the language lang.
func (c *Cost) In(lang string) string { return Text{c.EN, c.ZH}.In(lang) }

// Of returns the page of the algorithm with the given ID and reports whether there is one. A test checks
// that each algorithm of the catalogue has a page.
func Of(id string) (*Page, bool) {
	p, ok := pages()[id]
	return p, ok
}

// pages returns the pages of all algorithms by algorithm ID. It reads the files once and panics if one is
// invalid.
var pages = sync.OnceValue(func() map[string]*Page {
	all, err := readAll()
	if err != nil {
		panic("knowledge: " + err.Error())
	}
	return all
})
