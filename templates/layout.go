package templates

import "slices"

// Layouts of the lanes on the page.
const (
	GalleryLayout = "gallery" // all lanes have the same size
	StageLayout   = "stage"   // one lane is large, the others are thumbnails
)

// stageLanes is the number of lanes from which the stage is the default.
// static/js/page/views.js has the same.
const stageLanes = 4

// LayOut sets the layout of the lanes to the named layout, or to the default if there is none with that name.
// On the stage, lane is enlarged. An unknown lane is replaced by the first one.
func (p *Page) LayOut(layout, lane string) {
	p.Layout, p.Large, p.Chosen = layout, lane, layout == GalleryLayout || layout == StageLayout
	if !p.Chosen {
		p.Layout = GalleryLayout
		if len(p.Lanes) >= stageLanes && !p.Embed {
			p.Layout = StageLayout
		}
	}
	if !slices.ContainsFunc(p.Lanes, func(l Lane) bool { return l.ID == lane }) && len(p.Lanes) > 0 {
		p.Large = p.Lanes[0].ID
	}
}

// isLarge reports whether lane l is the enlarged one on the stage.
func (p *Page) isLarge(l *Lane) bool { return p.Layout == StageLayout && l.ID == p.Large }

// laidOut returns the URL of the page at its current position in another layout.
func (p *Page) laidOut(layout string) string {
	q := *p
	q.Layout, q.Chosen = layout, true
	return q.here(p.Lang)
}
