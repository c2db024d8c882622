package player

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// kit contains the page of an exported file, in the form that static/js/recorded/boot.js unpacks.
type kit struct {
	Views     map[string]*kitView    `json:"views"`     // "lab" and, if the run fits into it, "entry"
	Knowledge map[string]jsonLiteral `json:"knowledge"` // descriptions of the lanes' algorithms, by algorithm ID
}

// kitView is the page in one of its views.
type kitView struct {
	Script string            `json:"script"` // the scripts, as one module
	Sheet  string            `json:"sheet"`  // the style sheets
	Pages  map[string]string `json:"pages"`  // HTML before the first event, by language
}

// jsonLiteral is JSON that is encoded unchanged.
type jsonLiteral string

// MarshalJSON implements json.Marshaler.
func (j jsonLiteral) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// newKit returns the page of a file with the run of p. It has an entry view if entry is set.
func newKit(ctx context.Context, p *program.Program, entry bool) (*kit, error) {
	k := &kit{Views: map[string]*kitView{}}
	var err error
	if k.Views["lab"], err = newView(ctx, p, "bundle/file-app.js", static.Sheet, func(v templates.Page) templ.Component {
		v.Simple = entry
		v.LayOut("", "")
		return templates.PageView(v)
	}); err != nil {
		return nil, err
	}
	if entry {
		if k.Views["entry"], err = newView(ctx, p, "bundle/file-entry.js", static.EntrySheet, emptyEntry); err != nil {
			return nil, err
		}
	}
	k.Knowledge, err = knowledgeOf(p)
	return k, err
}

// newView returns a view with the named script and style sheet, whose pages are rendered by render.
func newView(ctx context.Context, p *program.Program, script, sheet string, render func(templates.Page) templ.Component) (*kitView, error) {
	k := &kitView{Pages: map[string]string{}}
	for name, to := range map[string]*string{script: &k.Script, sheet: &k.Sheet} {
		data, ok := static.File(name)
		if !ok {
			return nil, fmt.Errorf("no file %s", name)
		}
		*to = string(data)
	}
	for _, lang := range static.Languages {
		v, err := page(p, lang)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		// A file has no nonce; ctx may have that of the request.
		if err := render(v).Render(templ.WithNonce(ctx, ""), &b); err != nil {
			return nil, fmt.Errorf("rendering the page: %w", err)
		}
		k.Pages[lang] = b.String()
	}
	return k, nil
}

// emptyEntry returns the entry view of a page without timers. The scripts of the page draw its pictures.
func emptyEntry(v templates.Page) templ.Component {
	e := templates.Entry{Page: v, Steps: templates.EntrySteps{Back: -1, Next: -1}, Faces: make([]templates.Face, len(v.Lanes))}
	for i := range e.Faces {
		e.Faces[i] = templates.Face{Lane: &v.Lanes[i], Rings: 1}
	}
	return templates.EntryView(e)
}

// knowledgeOf returns the descriptions of the algorithms that the lanes of p use, by algorithm ID.
func knowledgeOf(p *program.Program) (map[string]jsonLiteral, error) {
	all := map[string]jsonLiteral{}
	for i := range p.Scenario.Lanes {
		name := p.Scenario.Lanes[i].Algorithm
		data, err := fs.ReadFile(static.FS(), "knowledge/"+name+".json")
		if err != nil {
			return nil, fmt.Errorf("what is known of %s: %w", name, err)
		}
		all[name] = jsonLiteral(data)
	}
	return all, nil
}

// page returns the data of the page in the language lang, with the lanes as they are before the first event,
// without timers. In the browser, the scripts of the page update the lanes.
func page(p *program.Program, lang string) (templates.Page, error) {
	sc, texts := p.Scenario, static.Texts(lang)
	v := templates.Page{
		Lang: lang, Name: sc.Name, Title: texts.Called(sc.Called(lang)), Summary: sc.Summary.In(lang), Question: sc.Question.In(lang),
		Tick: sc.Tick, Until: p.Until, Texts: texts, Assets: func(string) string { return "" },
	}
	for i, f := range p.Scenario.Facts() {
		l, err := emptyLane(p, &p.Scenario.Lanes[i], knowledge.Titled(f), lang)
		if err != nil {
			return v, err
		}
		v.Lanes = append(v.Lanes, l)
	}
	return v, nil
}

func emptyLane(p *program.Program, l *scenario.LaneSpec, f knowledge.Facts, lang string) (templates.Lane, error) {
	w, err := algorithms.New(l.Algorithm, l.Params, p.Start)
	if err != nil {
		return templates.Lane{}, err
	}
	var state wheel.State
	w.AppendState(&state, 0)
	out := templates.Lane{ID: l.ID, Algorithm: l.Algorithm, Title: f.Title.In(lang), Exact: f.Exact, Shape: string(f.Shape), Arity: f.Arity, Until: p.Until, Params: l.Params}
	for _, v := range state.Levels {
		out.Levels = append(out.Levels, templates.Level{Level: v.Level, Slots: v.Slots, Width: v.Width, Hand: -1})
	}
	return out, nil
}
