package extreme

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Most generated texts are scenarios; the others are refused in one line.
func TestSmallScenarios(t *testing.T) {
	planned, stalls := 0, 0
	for seed := range uint64(400) {
		text := Small(rand.New(rand.NewPCG(seed, 1)))
		if !bytes.Equal(text, Small(rand.New(rand.NewPCG(seed, 1)))) {
			t.Fatalf("seed %d makes two different scenarios", seed)
		}
		p, err := program.Load(text)
		if input, ok := errors.AsType[*scenario.InputError](err); err != nil && (!ok || strings.Contains(input.Error(), "\n")) {
			t.Errorf("seed %d: %v", seed, err)
		}
		if err == nil {
			planned++
			stalls += min(1, len(p.Stalls))
		}
	}
	if planned < 100 || stalls < 20 {
		t.Errorf("%d of 400 are scenarios, %d have a stall", planned, stalls)
	}
}
