package pages

import (
	"context"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/view"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// algorithmTable returns the /algorithms page, which contains the table of all algorithms.
func (p *Pages) algorithmTable(_ context.Context, r *Request, _ *Document) (templ.Component, error) {
	return templates.AlgorithmsView(view.Catalogue(p.plain(r))), nil
}

// algorithm returns an /algorithms/ID page, which is about one algorithm.
func (p *Pages) algorithm(_ context.Context, r *Request, _ *Document) (templ.Component, error) {
	v, ok := view.Algorithm(p.plain(r), r.id)
	if !ok {
		return nil, notFound("algorithm: %q is not the id of an algorithm; %s/algorithms lists them", r.id, p.Base)
	}
	return templates.AlgorithmView(v), nil
}

// algorithmIDs returns the IDs of the algorithms that have a page.
func algorithmIDs() (ids []string) {
	for _, a := range algorithms.Catalogue() {
		ids = append(ids, a.ID)
	}
	return ids
}

// notFound returns an error of kind texts.NotFound. Its message is formatted as if by texts.Newf from format, a key of
// static.Errors, with the arguments quoted and args. quoted is text from the URL, which notFound shortens if it is
// long.
func notFound(format, quoted string, args ...any) error {
	return texts.Errorf(texts.NotFound, "", format, append([]any{texts.Clip(quoted)}, args...)...)
}
