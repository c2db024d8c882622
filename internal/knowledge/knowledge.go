// Package knowledge is what is known of each algorithm of the catalogue: its idea,
// its costs, where it is used, and its pseudo-code, of which it tells the line
// that ran at an event. It holds no text itself: static/knowledge/ID.json has all,
// for the page's scripts read the same files.
//
// Start reading at [Page]; lines.go says how the line of an event is found.
package knowledge

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Page is what is known of one algorithm.
type Page struct {
	ID        string        `json:"id"` // as in algorithms.Catalogue
	Idea      catalog.Text  `json:"idea"`
	Structure catalog.Text  `json:"structure"`
	Start     Cost          `json:"start"`
	Stop      Cost          `json:"stop"`
	Tick      Cost          `json:"tick"`
	Fires     catalog.Text  `json:"fires"`
	Used      catalog.Text  `json:"used"`
	Slow      *catalog.Text `json:"slow,omitempty"` // why it is slower by nature; nil: it is not
	Instead   catalog.Text  `json:"instead"`        // what a program may do better with
	Sources   []string      `json:"sources"`        // paper and section, or project and file
	Code      []Line        `json:"code"`           // in order, the lines of a procedure together
}

// Cost is what an operation costs: a term such as "O(log n)", and why.
type Cost struct {
	Cost   string `json:"cost"`
	CostZH string `json:"costZh,omitempty"` // in Chinese, where words stand in it
	catalog.Text
}

// Of gives what is known of the algorithm called id. It is false for one that is
// not known; a test holds that all of the catalogue are.
func Of(id string) (*Page, bool) {
	p, ok := pages()[id]
	return p, ok
}

// pages are read once. A broken file is a mistake of the build, held by a test.
var pages = sync.OnceValue(func() map[string]*Page {
	all, err := read(static.FS())
	if err != nil {
		panic("knowledge: " + err.Error())
	}
	return all
})

// read reads every file of knowledge/ and checks that its selectors can be read.
func read(files fs.FS) (map[string]*Page, error) {
	names, err := fs.Glob(files, "knowledge/*.json")
	if err != nil {
		return nil, err
	}
	all := make(map[string]*Page, len(names))
	for _, name := range names {
		p, err := readPage(files, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[p.ID] = p
	}
	return all, nil
}

func readPage(files fs.FS, name string) (*Page, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	p := &Page{}
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(path.Base(name), ".json"); p.ID != want {
		return nil, fmt.Errorf("id: %q is not %q", p.ID, want)
	}
	for i := range p.Code {
		if err := p.Code[i].compile(); err != nil {
			return nil, fmt.Errorf("code[%d]: %w", i, err)
		}
	}
	return p, nil
}
