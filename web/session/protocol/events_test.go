package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/wheel"
)

// allParts reads the events of a run in parts of a number of rows.
func allParts(t *testing.T, run *sim.Run, rows int) (parts []Events) {
	t.Helper()
	from := int64(0)
	for {
		p, err := ReadEvents(t.Context(), run, 0, from, rows)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Data) > EventsBytesMax || p.To-from > int64(rows) {
			t.Fatalf("%d bytes, %d events", len(p.Data), p.To-from)
		}
		m := reread[Events](t, p.Data)
		if m.From != from || m.End != p.End || int64(len(m.Rows)) != (p.To-from)*int64(RowWidth) {
			t.Fatalf("%d integers from %d, end %v; want %d events from %d, end %v", len(m.Rows), m.From, m.End, p.To-from, from, p.End)
		}
		parts = append(parts, m)
		if p.End {
			return parts
		}
		if p.To == from {
			t.Fatalf("nothing after event %d", from)
		}
		from = p.To
	}
}

// costsIn returns the costs of ticks in parts, by lane and tick.
func costsIn(parts []Events) map[[2]int64]wheel.Cost {
	all := map[[2]int64]wheel.Cost{}
	for _, p := range parts {
		for c := range slices.Chunk(p.Costs, len(TickCostColumns)) {
			for tick := c[1]; tick < c[1]+c[2]; tick++ {
				all[[2]int64{c[0], tick}] = wheel.Cost{Slots: c[3], Touched: c[4], Compared: c[5], Moved: c[6]}
			}
		}
	}
	return all
}

// Parts of any size have the same rows, and the costs of every tick.
func TestPartsOfEvents(t *testing.T) {
	run := webtest.Open(t, webtest.Widely)
	last := run.EventsComputed()
	records, err := run.Records(t.Context(), 0, last, int(last))
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{1, 7, 100, EventsRowsMax} {
		parts := allParts(t, run, rows)
		var all []int64
		spent := map[int64]int64{}
		for _, p := range parts {
			all = append(all, p.Rows...)
		}
		if len(all) != len(records)*RowWidth {
			t.Fatalf("parts of %d: %d integers, want %d rows", rows, len(all), len(records))
		}
		for i := range records {
			r := &records[i]
			lane := int64(r.Lane)
			want := string(AppendRow(nil, r, int64(i+1), run.Program().Start, r.Cost-spent[lane]))
			spent[lane] = r.Cost
			row := all[i*RowWidth : (i+1)*RowWidth]
			if rows < len(records) { // the cost of the first rows of a part counts from its beginning
				row[RowWidth-1] = 0
				want = want[:strings.LastIndex(want, ",")] + ",0"
			}
			if got := string(AppendList(nil, row...)); got != want {
				t.Fatalf("parts of %d: row %s, want %s", rows, got, want)
			}
		}
		costs := costsIn(parts)
		for tick := int64(0); tick <= run.Program().Until; tick++ {
			want, err := run.Costs(t.Context(), sim.EndOf(tick))
			if err != nil {
				t.Fatal(err)
			}
			for lane := range want {
				if got := costs[[2]int64{int64(lane), tick}]; got != want[lane].Work || got.Total() != want[lane].Tick {
					t.Fatalf("parts of %d: tick %d of lane %d cost %+v, want %+v, in all %d", rows, tick, lane, got, want[lane].Work, want[lane].Tick)
				}
			}
		}
	}
}

// Long names make a part shorter than its number of rows, and ticks without events between distant ones have no cost.
func TestPartsAreBounded(t *testing.T) {
	name := strings.Repeat(`\u0001`, 200)
	long := webtest.Open(t, fmt.Sprintf(`{"wheelscope":1,"until":4000,"lanes":[{"algorithm":"simple","slots":8}],
 "workload":{"generate":[{"prefix":"%s","seed":1,"count":3000,"arrivals":{"dist":"uniform","min":0,"max":3000},"delay":{"dist":"constant","value":3}}]}}`, name))
	if parts := allParts(t, long, EventsRowsMax); len(parts) < 5 {
		t.Errorf("%d parts", len(parts))
	}
	far := webtest.Open(t, `{"wheelscope":1,"until":4000000000,"lanes":[{"algorithm":"simple","slots":8}],
 "workload":{"ops":[{"at":5,"op":"schedule","timer":"a","delay":3},{"at":3000000000,"op":"schedule","timer":"b","delay":3}]}}`)
	costs := costsIn(allParts(t, far, EventsRowsMax))
	for _, tick := range []int64{5, 8, 3000000000, 3000000003} {
		if got := costs[[2]int64{0, tick}]; got.Total() == 0 {
			t.Errorf("no cost of tick %d", tick)
		}
	}
	if len(costs) > 100 {
		t.Errorf("costs of %d ticks", len(costs))
	}
}
