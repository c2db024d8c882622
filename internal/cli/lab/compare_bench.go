package lab

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// benchfmt writes rows, the results of the lanes of p, in the format of Go benchmarks, which benchstat reads
// (https://go.dev/design/14313-benchmark-format). After two lines that identify the scenario, it writes one
// line per lane; see benchLine.
func benchfmt(w io.Writer, p *program.Program, rows []engine.LaneResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "scenario: %s\ndigest: %s\n", console.OneLine(p.Scenario.Name), p.Digest()[:sim.DigestShort])
	for i := range rows {
		benchLine(&b, &rows[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchmarkTwo writes the lane results of both runs in r in the format that benchfmt uses. A line "run: …"
// before the results of each run distinguishes the two.
func benchmarkTwo(w io.Writer, r *compare.ComparisonReport) error {
	var b strings.Builder
	for _, side := range r.Sides {
		fmt.Fprintf(&b, "run: %s\nscenario: %s\ndigest: %s\n", side.Side, console.OneLine(side.Name), side.Digest[:sim.DigestShort])
		for i := range r.Rows {
			if r.Rows[i].Side == side.Side {
				benchLine(&b, &r.Rows[i].LaneResult)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchLine appends to b the line for one lane, in the form of the result of a benchmark with one iteration.
// The name of the benchmark contains the ID of the lane and its algorithm. After it come the values of the
// other columns in compareColumns, each with the name of the column as its unit.
func benchLine(b *strings.Builder, r *engine.LaneResult) {
	cells := compareCells(r)
	fmt.Fprintf(b, "BenchmarkCompare/lane=%s/algorithm=%s 1", benchName(r.Lane), r.Algorithm)
	for i := 2; i < len(cells); i++ {
		fmt.Fprintf(b, " %s %s", cells[i], compareColumns[i])
	}
	b.WriteByte('\n')
}

// benchName converts the ID of a lane to a part of a benchmark's name. It replaces white space and slashes,
// which would end the name or a part of it, and unprintable characters with underscores.
func benchName(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, id)
}
