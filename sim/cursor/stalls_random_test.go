//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package cursor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// stalledAtRandom is a scenario with lanes that depend on how they are driven: its driver
// stalls and its wall clock is set, often where a timer is due.
func stalledAtRandom(r *rand.Rand) string {
	until := 10 + r.IntN(60)
	as := []string{"published", "corrected"}[r.IntN(2)]
	var lanes []string
	for _, id := range []string{"lk668", "xiaoxu", "godis", "riicarus"} {
		lanes = append(lanes, fmt.Sprintf(`{"algorithm":%q,"slots":%d,"width":%d,"as":%q}`, id, 1+r.IntN(9), 1+r.IntN(3), as))
	}
	lanes = append(lanes, fmt.Sprintf(`{"algorithm":"redis","as":%q},{"algorithm":"netty","slots":4,"width":2},{"algorithm":"list"}`, as))
	var ops []string
	for range 4 + r.IntN(12) {
		at := r.IntN(until + 1)
		switch op := fmt.Sprintf(`{"at":%d,"op":`, at); r.IntN(6) {
		case 0, 1:
			ops = append(ops, fmt.Sprintf(`%s"stall","for":%d}`, op, 1+r.IntN(until/2)))
		case 2:
			ops = append(ops, fmt.Sprintf(`%s"clock","by":%d}`, op, r.IntN(30)-15))
		default:
			ops = append(ops, fmt.Sprintf(`%s"set","timer":"t%d","delay":%d,"every":%d,"times":%d}`, op, r.IntN(5), r.IntN(40)-5, 1+r.IntN(9), 1+r.IntN(4)))
		}
	}
	return fmt.Sprintf(`{"wheelscope":1,"tick":%q,"start":%d,"until":%d,"lanes":[%s],"workload":{"ops":[%s]}}`,
		[]string{"1ms", "1s", "250ms"}[r.IntN(3)], []int{0, 3, 17}[r.IntN(3)], until, strings.Join(lanes, ","), strings.Join(ops, ","))
}

// With any stalls, a run that skips empty ticks emits the same events as one that visits every
// tick, and a seek gives the same states.
func TestStalledAtRandom(t *testing.T) {
	for seed := range testkit.Pick(uint64(40), 150) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := stalledAtRandom(r)
		p := plantest.Load(t, text)
		want := plantest.RunStraight(t, p)
		run := openRun(t, p)
		if end, err := run.EndSeq(t.Context()); err != nil || end != int64(len(want.Records)) {
			t.Fatalf("%d events, want %d (%v)\n%s", end, len(want.Records), err, text)
		}
		for range 12 {
			tick := r.Int64N(p.Until + 1)
			got, err := run.Seek(t.Context(), sim.EndOf(tick), wheel.AllEntries)
			if err != nil {
				t.Fatal(err)
			}
			plantest.SameSnapshot(t, fmt.Sprintf("tick %d of %s", tick, text), got, want.States[tick])
		}
		borders, _, _ := run.Borders()
		for k := range borders[1:] {
			c, err := run.ScanChunk(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			if c.First+int64(len(c.Records)) != borders[k+1].Seq+1 {
				t.Fatalf("chunk %d has %d events from %d on, and ends at %d\n%s", k, len(c.Records), c.First, borders[k+1].Seq, text)
			}
		}
	}
}
