package pages

import (
	"context"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/templates/gallery"
	"github.com/wheelscope/wheelscope/web/view"
)

// scenarios returns the /scenarios page, the gallery of all scenarios.
func (p *Pages) scenarios(_ context.Context, r *Request, _ *Document) (templ.Component, error) {
	return gallery.Scenarios(view.Gallery(p.plain(r), p.Answers.Library().Given)), nil
}
