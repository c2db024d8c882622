package sim

import "testing"

func TestBuiltinsLoad(t *testing.T) {
	for _, b := range Builtins() {
		p, err := Load(b.Data)
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		t.Log(string(p.Scenario.AppendJSON(nil)), p.Timers(), p.Name(1))
	}
}
