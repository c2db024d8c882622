package player

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// kit contains the page of an exported file, in the form that static/js/offline/boot.js unpacks.
type kit struct {
	Script    string                 `json:"script"`    // the scripts of the page, as one module
	Pages     map[string]string      `json:"pages"`     // HTML of the page before the first event, by language
	Sheet     string                 `json:"sheet"`     // concatenation of all style sheets
	Knowledge map[string]jsonLiteral `json:"knowledge"` // descriptions of the lanes' algorithms, by algorithm ID
}

// jsonLiteral is JSON that is encoded unchanged.
type jsonLiteral string

// MarshalJSON implements json.Marshaler.
func (j jsonLiteral) MarshalJSON() ([]byte, error) { return []byte(j), nil }

func newKit(ctx context.Context, p *program.Program) (*kit, error) {
	script, err := fs.ReadFile(static.FS(), "bundle/file-app.js")
	if err != nil {
		return nil, err
	}
	k := &kit{Script: string(script), Pages: map[string]string{}}
	for _, lang := range static.Languages {
		if k.Pages[lang], err = page(ctx, p, lang); err != nil {
			return nil, err
		}
	}
	sheet, ok := static.File(static.Sheet)
	if !ok {
		return nil, fmt.Errorf("no style sheet %s", static.Sheet)
	}
	k.Sheet = string(sheet)
	k.Knowledge, err = knowledgeOf(p)
	return k, err
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

// page returns the HTML of the page in the language lang, with the lanes as they are before the first event,
// without timers. In the browser, the scripts of the page update the lanes.
func page(ctx context.Context, p *program.Program, lang string) (string, error) {
	sc, texts := p.Scenario, static.Texts(lang)
	v := templates.Page{
		Lang: lang, Name: sc.Name, Title: texts.Called(sc.Called(lang)), Summary: sc.Summary.In(lang), Question: sc.Question.In(lang),
		Tick: sc.Tick, Until: p.Until, Texts: texts, Assets: func(string) string { return "" },
	}
	info := lanesOf(p)
	for i := range info {
		l, err := emptyLane(p, &info[i], lang)
		if err != nil {
			return "", err
		}
		v.Lanes = append(v.Lanes, l)
	}
	v.LayOut("", "")
	var b bytes.Buffer
	// A file has no nonce; ctx may have that of the request.
	if err := templates.PageView(v).Render(templ.WithNonce(ctx, ""), &b); err != nil {
		return "", fmt.Errorf("rendering the page: %w", err)
	}
	return b.String(), nil
}

func emptyLane(p *program.Program, l *lane, lang string) (templates.Lane, error) {
	w, err := algorithms.New(l.Algorithm, l.Params, p.Start)
	if err != nil {
		return templates.Lane{}, err
	}
	var state wheel.State
	w.AppendState(&state, 0)
	out := templates.Lane{ID: l.ID, Algorithm: l.Algorithm, Title: l.Title.In(lang), Exact: l.Exact, Shape: string(l.Shape), Arity: l.Arity, Until: p.Until, Params: l.Params}
	for _, v := range state.Levels {
		out.Levels = append(out.Levels, templates.Level{Level: v.Level, Slots: v.Slots, Width: v.Width, Hand: -1})
	}
	return out, nil
}
