package pages

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// valueAt returns the number at path, such as "lanes.0.slots", in scenario, one of the embedded scenario files.
// It panics if there is none.
func valueAt(scenario []byte, path string) int64 {
	var at any
	if err := json.Unmarshal(scenario, &at); err != nil {
		panic("article: " + err.Error()) // the file is embedded
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				panic(fmt.Sprintf("article: a scenario has nothing at %s", path))
			}
			at = v[i]
		}
	}
	n, ok := at.(float64)
	if !ok {
		panic(fmt.Sprintf("article: a scenario has no number at %s", path))
	}
	return int64(n)
}
