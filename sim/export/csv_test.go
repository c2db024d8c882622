package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
)

// The sums of the columns are the results of `compare` for the whole run.
func TestCSVAddsUpToTheComparison(t *testing.T) {
	everyScenario(t, func(t *testing.T, p *program.Program) {
		var b bytes.Buffer
		if err := Write(t.Context(), &b, p, "csv", Options{}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rows[0], csvHeader) {
			t.Fatalf("the header is %v", rows[0])
		}
		sums := map[string]map[string]int64{}
		for _, row := range rows[1:] {
			lane := sums[row[1]]
			if lane == nil {
				lane = map[string]int64{}
				sums[row[1]] = lane
			}
			for k := 3; k < len(row); k++ {
				v, err := strconv.ParseInt(row[k], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				lane[csvHeader[k]] += v
			}
		}
		results, err := compare.Lanes(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range results {
			got := sums[want.Lane]
			for column, w := range map[string]int64{"fired": want.Fired, "early": want.Early, "late": want.Late,
				"cancelled": want.Cancelled, "rejected": want.Rejected, "findings": want.Findings} {
				if got[column] != w {
					t.Errorf("lane %s: %s adds up to %d, want %d", want.Lane, column, got[column], w)
				}
			}
			if got["cost"] > want.Cost {
				t.Errorf("lane %s: the ticks cost %d, the run %d", want.Lane, got["cost"], want.Cost)
			}
		}
	})
}

func TestUnknownFormat(t *testing.T) {
	p := builtin(t, "three-slots")
	if err := Write(t.Context(), &bytes.Buffer{}, p, "xml", Options{}); err == nil {
		t.Error("a format that is not there is written")
	}
}

// full accepts a number of bytes and then fails.
type full struct{ left int }

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrorOfTheWriterIsReported(t *testing.T) {
	p := builtin(t, "heartbeats")
	for _, as := range Formats() {
		if err := Write(t.Context(), &full{100_000}, p, as, Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v", as, err)
		}
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := builtin(t, "hundred-thousand")
	if err := Write(ctx, &bytes.Buffer{}, p, "csv", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
