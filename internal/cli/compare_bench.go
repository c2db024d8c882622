package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/wheelscope/wheelscope/sim"
)

// benchfmt writes rows in the format of Go benchmarks, which benchstat reads
// (https://go.dev/design/14313-benchmark-format): a line a lane, the columns as units.
func benchfmt(w io.Writer, p *sim.Program, rows []sim.LaneResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "scenario: %s\ndigest: %s\n", oneLine(p.Scenario.Name), p.Digest()[:sim.DigestShort])
	for i := range rows {
		benchLine(&b, &rows[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchmarkTwo writes the lanes of two runs, each under a key "run".
func benchmarkTwo(w io.Writer, r *sim.ContestReport) error {
	var b strings.Builder
	for _, side := range r.Sides {
		fmt.Fprintf(&b, "run: %s\nscenario: %s\ndigest: %s\n", side.Side, oneLine(side.Name), side.Digest[:sim.DigestShort])
		for i := range r.Rows {
			if r.Rows[i].Side == side.Side {
				benchLine(&b, &r.Rows[i].LaneResult)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchLine writes a lane's line: one iteration, then a value and its unit for each column.
func benchLine(b *strings.Builder, r *sim.LaneResult) {
	cells := compareCells(r)
	fmt.Fprintf(b, "BenchmarkCompare/lane=%s/algorithm=%s 1", benchName(r.Lane), r.Algorithm)
	for i := 2; i < len(cells); i++ {
		fmt.Fprintf(b, " %s %s", cells[i], compareColumns[i])
	}
	b.WriteByte('\n')
}

// benchName writes a lane's id as part of a benchmark's name, which has no spaces, as package
// testing does. A slash would begin another part.
func benchName(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, id)
}
