package pages

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/view"
)

// Options contains the properties of a server or static site that affect its pages.
type Options struct {
	Base    string       // path prefix of all URLs, such as "/wheelscope"; "" means none
	Answers *api.Answers // answers questions about the runs that the pages show
	Worker  bool         // whether there is a page about workers
	Timing  bool         // whether the server times structures
}

// Pages renders the pages of a server or static site. Its methods may be called concurrently.
type Pages struct{ Options }

// New returns a Pages with the given options.
func New(o Options) *Pages { return &Pages{o} }

// Request is a request for a page.
type Request struct {
	Path  string     // path below the base path, such as "/" or "/algorithms/simple"
	Query url.Values // query of the URL; parameters that the page does not have are ignored
	Lang  string     // language: "en" or "zh"
	Lab   bool       // whether the visitor has chosen the laboratory before; see Choice

	Site *templates.Site // properties of the static site that contains the page; nil on a server

	id string // ID at the end of Path, if it has one; set by Render
}

// Document is a rendered page.
type Document struct {
	HTML    []byte
	Lang    string       // language of the texts
	Problem *texts.Error // reason why the page does not show what its URL selects; nil if it does
	// Embeddable is whether other sites may embed the page in a frame. Such a page contains no visitor data, and its
	// controls only move a cursor.
	Embeddable bool
}

// Path is the path of a kind of page, relative to the base path.
type Path struct {
	Name string          // path such as "/algorithms" or, if IDs is not nil, a prefix such as "/algorithms/" that is followed by an ID
	IDs  func() []string // returns the IDs that may follow Name; nil if none follows
}

// kind is a kind of page. build returns the component that renders the page for request r, and may set fields of the
// document d.
type kind struct {
	Path
	build func(p *Pages, ctx context.Context, r *Request, d *Document) (templ.Component, error)
}

// kinds lists the kinds of pages, apart from those about the server itself, such as the worker page of package
// web.
var kinds = []kind{
	{Path{"/", nil}, (*Pages).lab},
	{Path{"/learn", nil}, (*Pages).learn},
	{Path{"/race", nil}, (*Pages).race},
	{Path{"/choose", nil}, (*Pages).choose},
	{Path{"/algorithms", nil}, (*Pages).algorithmTable},
	{Path{"/algorithms/", algorithmIDs}, (*Pages).algorithm},
	{Path{"/scenarios", nil}, (*Pages).scenarios},
}

// Paths returns the paths of all kinds of pages.
func Paths() []Path {
	list := make([]Path, len(kinds))
	for i := range kinds {
		list[i] = kinds[i].Path
	}
	return list
}

// find returns the kind of the page at path, or a nil k if there is no page. id is the ID in the path, or "" if the
// path has none.
func find(path string) (k *kind, id string) {
	for i := range kinds {
		k = &kinds[i]
		if k.IDs == nil && k.Name == path {
			return k, ""
		}
		if id, ok := strings.CutPrefix(path, k.Name); ok && k.IDs != nil && id != "" && !strings.Contains(id, "/") {
			return k, id
		}
	}
	return nil, ""
}

// Has reports whether path, relative to the base path, is that of a page. It does not check whether an ID in
// the path exists.
func Has(path string) bool {
	k, _ := find(path)
	return k != nil
}

// Render renders the page that r requests. If the query selects something that does not exist, the page shows
// something else, and the document has a Problem. If there is no page at the path, Render returns an error of
// kind texts.NotFound.
func (p *Pages) Render(ctx context.Context, r Request) (*Document, error) {
	k, id := find(r.Path)
	if k == nil {
		return nil, notFound("there is nothing at %q", r.Path)
	}
	r.id = id
	d := &Document{Lang: r.Lang}
	component, err := k.build(p, ctx, &r, d)
	if err != nil {
		return nil, err
	}
	d.HTML, err = Draw(ctx, component)
	return d, err
}

// Draw renders page. If ctx carries a turn of package fairqueue, Draw lets other work run when the turn's
// time slice is over.
func Draw(ctx context.Context, page templ.Component) ([]byte, error) {
	var b bytes.Buffer
	if err := page.Render(ctx, fairqueue.Writer(ctx, &b)); err != nil {
		return nil, fmt.Errorf("rendering a page: %w", err)
	}
	return b.Bytes(), nil
}

// plain returns the data that every page needs, for the page that r requests.
func (p *Pages) plain(r *Request) templates.Page { return view.Plain(p.options(r), r.Lang) }

// options returns the options of the view structs for the page that r requests.
func (p *Pages) options(r *Request) view.Options {
	return view.Options{Base: p.Base, Given: p.Answers.Library().Given, Worker: p.Worker, Site: r.Site}
}
