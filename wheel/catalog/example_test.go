package catalog_test

import (
	"fmt"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/simple"
)

// An entry of the catalogue: Fill checks the parameters and adds the defaults, and Build
// creates a wheel from them.
func Example() {
	mine := catalog.Algorithm{
		ID:         "mine",
		Parameters: []catalog.Parameter{catalog.SlotsParameter(60, 2)},
		Build: func(p catalog.Params, env catalog.Env) (wheel.Observable, error) {
			return simple.New(simple.Config{Slots: int(p["slots"].(int64)), Width: 1, Start: env.Start})
		},
	}
	for _, given := range []catalog.Params{nil, {"slots": int64(1)}} {
		p, err := mine.Fill(given)
		if err != nil {
			fmt.Println(err)
			continue
		}
		w, err := mine.Build(p, catalog.Env{Start: 100})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(w.Layout().Levels[0].Slots, "slots, at tick", w.Now())
	}
	// Output:
	// 60 slots, at tick 100
	// slots: 1 is not between 2 and 65536
}
