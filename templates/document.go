package templates

// Document holds the properties of a page of text, such as an article or a page about an algorithm, that the layout
// common to all these pages needs.
type Document struct {
	Title   string
	Summary string // description for search engines and previews
	Class   string // class of the body element, for style sheets
	Main    string // ID of the main element
	Path    string // path of the page below the base path, such as "/algorithms/simple"
	Script  string // name of the page's module, such as "js/algorithms/page.js"; empty means none
	Boot    bool   // whether the module needs the texts and the data in Page.Boot
}

// section returns d.Path up to its second slash, such as "/algorithms" for "/algorithms/simple".
func (d *Document) section() string {
	for i := 1; i < len(d.Path); i++ {
		if d.Path[i] == '/' {
			return d.Path[:i]
		}
	}
	return d.Path
}

// sections lists the pages to which the navigation bar links. The bar is on every page that is described by a Document.
// path is the path of the linked page below the base path, and name is the text key of its name.
var sections = []struct{ path, name string }{{"/learn", "learn.menu"}, {"/race", "race.menu"}, {"/choose", "choose.menu"}, {"/scenarios", "gallery.title"}, {"/algorithms", "knowledge.all"}}

// at returns the URL of the page with the given path below the base path, in the language lang.
func (p *Page) at(path, lang string) string { return p.Link(path + "?lang=" + lang) }
