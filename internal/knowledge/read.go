package knowledge

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/static"
)

// readAll reads the pages of all algorithms and returns them by algorithm ID.
func readAll() (map[string]*Page, error) { return read(static.FS()) }

// read reads the pages in the knowledge/ folder of files, compiles their selectors, and returns the pages by
// algorithm ID.
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
	p := &Page{}
	if err := json.UnmarshalRead(f, p, json.RejectUnknownMembers(true)); err != nil {
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
