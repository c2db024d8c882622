// Package simtest pins the behaviour of timers in Go tests: a scenario's trace is
// kept in a file, and a test fails when a run tells anything else.
//
//	func TestBackoff(t *testing.T) {
//		simtest.Golden(t, "testdata/backoff.json", "testdata/backoff.jsonl")
//	}
//
// `go test -simtest.update`, in the folder of the tests, writes the files anew; what changed is
// then read in review. Of a test that fails, the run is written as a page for a browser, opened
// at the first event that differs.
//
// A trace has every event, also the slots in which timers are. [GoldenExpiries] keeps only
// which timer fires at which tick. Such a file stays the same if a wheel places its timers
// differently, so use it unless the placement is what a test is about.
//
// Files are compared by bytes, so git must leave their lines alone where it would end them in
// the manner of Windows: `*.jsonl -text` in .gitattributes.
//
// Record turns a program's own use of timers into such a scenario:
//
//	rec := simtest.Record(t, mock, time.Millisecond) // mock: a clock.Mock
//	service := NewService(rec)                       // calls rec.AfterFunc, Stop, Reset
//	mock.Add(time.Minute)
//	rec.Golden("testdata/service.jsonl", `{"algorithm":"tokio"}`)
//
// Start reading here, then expiries.go, record.go and failure.go.
package simtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/whole"
	"github.com/wheelscope/wheelscope/sim"
)

// updating is the flag -simtest.update. Its name has the package's, so that it can be defined
// beside a flag called update of the tests that use this package.
var updating = flag.Bool("simtest.update", false, "write the golden files of package simtest anew")

// Golden runs a scenario and compares its trace, byte for byte, with the one in
// file. The scenario is the name of a file or of a built-in (a string), or the
// scenario itself ([]byte). A failure tells the first event that differs, its
// tick, the seeds of generated timers, and a page that shows the run at that event.
// With -simtest.update the file is written, packed by gzip if its name ends in .gz.
func Golden[S string | []byte](t testing.TB, scenario S, file string) {
	t.Helper()
	data, err := source(any(scenario))
	if err != nil {
		t.Fatalf("golden %s: %v", file, err)
	}
	p, err := sim.Load(data)
	if err != nil {
		t.Fatalf("golden %s: scenario: %v", file, err)
	}
	if *updating {
		if err := write(p, file); err != nil {
			t.Fatalf("golden %s: %v", file, err)
		}
		return
	}
	err = check(p, file)
	if diff := (*sim.Diff)(nil); errors.As(err, &diff) {
		t.Fatalf("golden %s: %s", file, tell(p, diff)+show(t, p, diff, file))
	}
	if err != nil {
		t.Fatalf("golden %s: %v", file, err)
	}
}

// source is the text of a scenario.
func source(scenario any) ([]byte, error) {
	name, named := scenario.(string)
	if !named {
		return scenario.([]byte), nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		if data, ok := sim.Builtin(name); ok {
			return data, nil
		}
		return nil, fmt.Errorf("%q is neither a file nor a built-in scenario", name)
	}
	return data, err
}

// write replaces the golden file, whole or not at all.
func write(p *sim.Program, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return whole.Write(file, 0o666, whole.Packed(file, func(w io.Writer) error {
		_, err := sim.WriteTrace(context.Background(), w, p, sim.TraceOptions{})
		return err
	}))
}

// check compares the run with the golden file; the error is a sim.Diff where they part.
func check(p *sim.Program, file string) error {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("there is no such file; run the test with -simtest.update to write it")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = sim.VerifyProgram(context.Background(), p, f, sim.TraceOptions{})
	return err
}

// tell says where a run parts from its golden file.
func tell(p *sim.Program, d *sim.Diff) string {
	var b strings.Builder
	if d.Line == 1 {
		b.WriteString("the scenario is another than the one in the file")
	} else {
		fmt.Fprintf(&b, "the first event that differs is on line %d, at tick %s", d.Line, tick(d.Want))
	}
	got, want := apart(d.Got, d.Want)
	fmt.Fprintf(&b, "\n  file: %s\n  run:  %s", got, want)
	for _, g := range p.Scenario.Generate {
		fmt.Fprintf(&b, "\n  seed: %d (timers %s…)", g.Seed, g.Prefix)
	}
	b.WriteString("\n  (-simtest.update writes the file anew)")
	return b.String()
}

// lineMax bounds what is shown of a line, in bytes: an event is shorter, but a header has
// the whole workload.
const lineMax = 400

// apart gives what is to be shown of two lines that differ: all, or of long ones what
// stands around the place where they part.
func apart(a, b string) (string, string) {
	if max(len(a), len(b)) <= lineMax {
		return a, b
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-lineMax/2)
	return part(a, from), part(b, from)
}

// part is what stands in a line from a place on, lineMax bytes of it at most.
func part(line string, from int) string {
	to := min(len(line), from+lineMax)
	text := strings.ToValidUTF8(line[min(from, to):to], "")
	if from > 0 {
		text = "…" + text
	}
	if to < len(line) {
		text += "…"
	}
	return text
}

// tick is the tick in a line of a trace.
func tick(line string) string {
	_, rest, _ := strings.Cut(line, `"tick":`)
	return rest[:strings.IndexAny(rest+",", ",}")]
}
