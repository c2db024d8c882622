//go:build ignore

// This program writes race.json, the figures of the race. Run it with make race; it takes some minutes.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/wheelscope/wheelscope/sim/race"
)

func main() {
	rows, err := race.Compute(race.Numbers(), func(name string, n int) { fmt.Fprintln(os.Stderr, name, n) })
	if err == nil {
		var data []byte
		if data, err = json.MarshalIndent(rows, "", " "); err == nil {
			err = os.WriteFile("sim/race/race.json", append(data, '\n'), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
