//go:build ignore

// Command traits_gen writes static/js/state/traits.js, the traits of all algorithms.
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
}
