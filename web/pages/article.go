package pages

import (
	"context"
	"slices"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/templates/learn"
	"github.com/wheelscope/wheelscope/web/view"
)

// This file and the other files article_*.go make the page /learn: the chapters, the small scenario that each of them
// shows, and the figures of its run that the text mentions. Start reading at the table in article_chapters.go. The texts
// of a chapter are in static/texts/LANGUAGE/learn, and its scenario is in the folder chapters. The scripts of the page
// (static/js/article) change the scenario, open the changed one in a session, and write the figures of its run into the
// same text.

// articleBoot is the initial data for the page's scripts. The page contains it as JSON.
type articleBoot struct {
	Socket string `json:"socket"` // path and query of the URL for opening a WebSocket
	Base   string `json:"base"`
	Lang   string `json:"lang"`
}

// buildArticle returns the /learn page with texts in the language lang. o are the options of all pages. buildArticle
// opens a run for each chapter in store and waits for the part of the run that the chapter shows.
func buildArticle(ctx context.Context, store *sim.Store, o view.Options, lang string) (*learn.Page, error) {
	p := &learn.Page{Page: view.Plain(o, lang), Article: static.Article(lang)}
	p.Boot = articleBoot{o.Base + "/ws?lang=" + lang, o.Base, lang}
	w := writer{texts: p.Article, page: &p.Page, lang: lang}
	p.Intro, p.End = w.numbered("intro"), w.numbered("end")
	first, _, err := buildFigure(ctx, store, o, lang, &opening, openingProgram())
	if err != nil {
		return nil, err
	}
	first.Plays = true
	p.Opening = *first
	for i := range chapters {
		c, err := buildChapter(ctx, store, o, lang, i)
		if err != nil {
			return nil, err
		}
		p.Chapters = append(p.Chapters, *c)
	}
	return p, nil
}

// buildChapter returns chapter i with texts in the language lang. o are the options of all pages. buildChapter opens the
// run of the chapter in store and waits for the part of the run that the chapter shows.
func buildChapter(ctx context.Context, store *sim.Store, o view.Options, lang string, i int) (*learn.Chapter, error) {
	c := &chapters[i]
	figure, run, err := buildFigure(ctx, store, o, lang, c, programs()[i])
	if err != nil {
		return nil, err
	}
	page := &figure.Page
	known, err := factsOf(ctx, run, page, figure.Timer)
	if err != nil {
		return nil, err
	}
	w := writer{texts: static.Article(lang), page: page, lang: lang, chapter: c.name, facts: known, controls: controlsOf(c, lang)}
	for k := range page.Lanes {
		w.lanes = append(w.lanes, page.Lanes[k].ID)
	}
	return &learn.Chapter{
		Name: c.name, Before: w.numbered(c.name), Try: w.tries(), After: w.numbered(c.name + ".then"),
		Figure:  *figure,
		Answers: len(w.numbered(c.name + ".answer")), Right: c.right,
	}, nil
}

// buildFigure returns the picture of chapter c, whose program is p, and its run.
func buildFigure(ctx context.Context, store *sim.Store, o view.Options, lang string, c *chapter, p *program.Program) (*learn.Figure, *sim.Run, error) {
	run, err := store.Open(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	store.Retain(ctx, run)
	snap, err := run.Seek(ctx, sim.EndOf(c.tick), templates.TimersShown)
	if err != nil {
		return nil, nil, err
	}
	page := view.Lab(o, run, snap, lang)
	return &learn.Figure{Page: page, Scenario: string(c.file()), Run: run.Digest()[:sim.DigestShort], Timer: c.timer(p), Called: timerName, Rate: c.rate}, run, nil
}

// controlsOf returns the controls of chapter c, with labels in the language lang. The value of each control is
// the current value of the scenario field that it changes.
func controlsOf(c *chapter, lang string) []learn.Control {
	list := slices.Clone(c.controls)
	for i := range list {
		list[i].Label = static.Article(lang)[c.name+"."+list[i].Name]
		if list[i].Path != "" {
			list[i].Value = valueAt(c.file(), list[i].Path)
		}
	}
	return list
}
