package pages

import (
	"context"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/templates"
)

// choose returns the page that chooses a structure for a workload. Its scripts ask for what is counted.
func (p *Pages) choose(_ context.Context, r *Request, _ *Document) (templ.Component, error) {
	v := templates.Choose{Page: p.plain(r), Timing: p.Timing}
	v.Boot = struct{}{}
	for _, name := range templates.ChooseFields {
		if given := r.Query.Get(name); given != "" {
			v.Given = append(v.Given, templates.Answer{Name: name, Value: given})
		}
	}
	return templates.ChooseView(v), nil
}
