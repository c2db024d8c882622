package library

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
)

//go:embed index.json
var indexFile []byte

// Group is a group of built-in scenarios in the gallery. Its title is the text with the key "gallery.group.NAME" in
// static/texts, where NAME is the name of the group.
type Group struct {
	Name    string  `json:"group"`
	Entries []Entry `json:"scenarios"`
}

// Entry is a built-in scenario in the gallery. Its description and the hint about what to look for are the
// texts with the keys "gallery.what.NAME" and "gallery.look.NAME" in static/texts, where NAME is its name.
type Entry struct {
	Name string `json:"name"`
	Lane string `json:"lane"` // ID of the lane that the thumbnail shows
	Tick int64  `json:"tick"` // the thumbnail shows the lane at the end of this tick
}

// Groups returns the groups of built-in scenarios in display order. The groups include scenarios with an
// algorithm that is not linked into the program.
var Groups = sync.OnceValue(func() (list []Group) {
	if err := json.Unmarshal(indexFile, &list); err != nil {
		panic(fmt.Sprintf("library: index: %v", err))
	}
	return list
})

// builtinNames returns the names of the built-in scenarios in display order. The page shows the first one by
// default.
func builtinNames() (names []string) {
	for _, g := range Groups() {
		for _, e := range g.Entries {
			names = append(names, e.Name)
		}
	}
	return names
}

// Thumbnail returns the thumbnail of e as the content of an SVG element with the view box 0 0 400 400. It
// needs the style sheet static/css/pictures.css. A test of web/view compares all thumbnails with pictures
// drawn from the runs.
func (e Entry) Thumbnail() string {
	data, err := thumbnailFiles.ReadFile("thumbnails/" + e.Name + ".svg")
	if err != nil {
		panic(fmt.Sprintf("library: thumbnail: %v", err))
	}
	return string(data)
}
