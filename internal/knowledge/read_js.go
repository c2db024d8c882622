//go:build js && !full

package knowledge

import (
	_ "embed"

	"github.com/go-json-experiment/json"
)

//go:embed briefs.json
var briefs []byte

// readAll returns the pages of all algorithms by algorithm ID. Only the Brief of each page is set.
func readAll() (map[string]*Page, error) {
	var list []Brief
	if err := json.Unmarshal(briefs, &list); err != nil {
		return nil, err
	}
	all := map[string]*Page{}
	for _, b := range list {
		all[b.ID] = &Page{Brief: b}
	}
	return all, nil
}
