package templates

import "slices"

// Layouts of the lanes on the page.
const (
	GalleryLayout = "gallery" // layout in which all lanes have the same size
	StageLayout   = "stage"   // layout in which one lane is large and the others are thumbnails
)

// stageLanes is the minimum number of lanes for which StageLayout is the default, unless the page is embedded in
// another.
const stageLanes = 4

// LayOut sets the layout of the lanes. If layout is neither GalleryLayout nor StageLayout, it sets the default layout,
// which depends on the number of lanes and on p.Staged. In StageLayout, lane is the ID of the enlarged lane. If there is no lane with
// that ID, the first lane is enlarged.
func (p *Page) LayOut(layout, lane string) {
	p.Layout, p.Large, p.Chosen = layout, lane, layout == GalleryLayout || layout == StageLayout
	if !p.Chosen {
		p.Layout = GalleryLayout
		if (p.Staged || len(p.Lanes) >= stageLanes) && !p.Embed {
			p.Layout = StageLayout
		}
	}
	if !slices.ContainsFunc(p.Lanes, func(l Lane) bool { return l.ID == lane }) && len(p.Lanes) > 0 {
		p.Large = p.Lanes[0].ID
	}
}

// isLarge reports whether lane l is the enlarged one in StageLayout.
func (p *Page) isLarge(l *Lane) bool { return p.Layout == StageLayout && l.ID == p.Large }
