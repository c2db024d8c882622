package pages

import (
	"context"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/templates/learn"
)

// learn returns the /learn page, an article that explains timing wheels.
func (p *Pages) learn(ctx context.Context, r *Request, _ *Document) (templ.Component, error) {
	v, err := buildArticle(ctx, p.Answers.Library().Store, p.options(r), r.Lang)
	if err != nil {
		return nil, err
	}
	return learn.View(v), nil
}
