//go:build ignore

// Command traits_gen writes the generated files with the traits and the briefs of all algorithms:
// static/js/state/traits.js and briefs.json.
package main

import (
	"log"
	"os"

	"github.com/wheelscope/wheelscope/internal/knowledge"
)

func main() {
	script, err := knowledge.Script()
	if err == nil {
		err = os.WriteFile("../../static/js/state/traits.js", []byte(script), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	briefs, err := knowledge.Briefs()
	if err == nil {
		err = os.WriteFile("briefs.json", briefs, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
