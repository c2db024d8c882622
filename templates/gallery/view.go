// Package gallery renders the list of scenarios, which is a page of its own and the content of a dialog of
// the lab page. Start reading at gallery.templ.
package gallery

import (
	"net/url"

	"github.com/wheelscope/wheelscope/templates"
)

// View is the data of the page of scenarios.
type View struct {
	templates.Page
	Groups []Group
}

// Group is a group of scenarios. Its title is the text with the key "gallery.group.NAME".
type Group struct {
	Name    string
	Entries []Entry
}

// Entry is a scenario in the list.
type Entry struct {
	Name    string
	Title   string
	What    string // description of the scenario in one sentence
	Look    string // what to look for in the scenario; "" if there is no hint
	Lanes   int
	Lane    string // ID of the lane in the picture
	At      string // tick that the picture shows, such as "t = 3 ms"
	Picture string // content of an SVG element with the view box 0 0 400 400; "" for none
	Words   string // lower-case text about the entry; a search matches if the text contains every word of the search
}

// of returns the URL of the lab page with the scenario of e.
func (v *View) of(e *Entry) string {
	return v.Link("/?" + url.Values{"scenario": {e.Name}, "lang": {v.Lang}}.Encode())
}
