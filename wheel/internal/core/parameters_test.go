package core

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// A list of faults, even an empty one, overrides the parameter as; without a list, as decides.
func TestReadFaults(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, c := range []struct {
		p    catalog.Params
		want Faults
	}{
		{catalog.Params{}, 7}, {catalog.Params{"as": "published"}, 7}, {catalog.Params{"as": "corrected"}, 0},
		{catalog.Params{"as": "published", "faults": []string{}}, 0}, {catalog.Params{"as": "corrected", "faults": []string{"c"}}, 4},
		{catalog.Params{"faults": []string{"c", "a"}}, 5},
	} {
		if got := ReadFaults(c.p, names); got != c.want {
			t.Errorf("%v: faults %b, want %b", c.p, got, c.want)
		}
	}
}
