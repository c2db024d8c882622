package api

import (
	"errors"
	"testing"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
)

// A request that needs more memory than the server may ever use is refused for good; one that needs more than
// is free now is to be repeated.
func TestMemoryRefusals(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{Memory: budget.New(64 << 20)})
	defer store.Close()
	held, err := store.Reserve(40 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	for bytes, want := range map[int64]texts.Kind{30 << 20: 503, 56 << 20: 503, 57 << 20: 422, 15 << 30: 422} {
		_, err := store.ReserveWhenFree(t.Context(), bytes)
		r, ok := RefusalOf(errors.Join(err), "en")
		if !ok || r.Kind != want {
			t.Errorf("%d bytes: %v, %+v, want %d", bytes, err, r, want)
		}
	}
}
