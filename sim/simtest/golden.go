// Package simtest detects changes in the behaviour of timers in Go tests: the trace of a scenario
// is kept in a golden file, and a test fails if the run of the scenario differs from it.
//
//	func TestBackoff(t *testing.T) {
//		simtest.Golden(t, "testdata/backoff.json", "testdata/backoff.jsonl")
//	}
//
// `go test -simtest.update`, in the folder of the tests, writes the files again, so that the
// changes can be reviewed. When a test fails, its run is written as an HTML page that opens at
// the first event that differs.
//
// A trace contains every event, including the slots in which timers are placed. The file of
// [GoldenExpiries] contains only which timer fires at which tick. It does not change if a wheel places
// its timers differently, so use GoldenExpiries unless a test is about the placement.
//
// Files are compared byte by byte, so git must not convert their line endings on Windows: put
// `*.jsonl -text` in .gitattributes.
//
// Record converts a program's own use of timers to a scenario:
//
//	rec := simtest.Record(t, mock, time.Millisecond) // mock: a clock.Mock
//	service := NewService(rec)                       // calls rec.AfterFunc, Stop, Reset
//	mock.Add(time.Minute)
//	rec.Golden("testdata/service.jsonl", `{"algorithm":"tokio"}`)
//
// The example of [Record] shows what the program is passed in production. A program that has its own
// interface for timers passes an adapter of a few lines that calls the Recorder; see the example
// OwnInterface.
//
// Start reading here, then expiries.go, record.go and failure.go.
package simtest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/atomicfile"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	_ "github.com/wheelscope/wheelscope/wheel/rediswheel/lane" // so that a scenario may have lanes of redis
)

// Scenarios may have wheels in JavaScript, which run in the process of the test.
func init() { engine.RecordOwnWith(script.Record) }

// updating points to the value of the -simtest.update flag. The name of the flag contains the name of the
// package, so that tests that use the package may define a flag named update.
var updating = flag.Bool("simtest.update", false, "write the golden files of package simtest anew")

// Golden runs a scenario and compares its trace byte by byte with the trace in the named file. If scenario is a
// string, it is the name of a scenario file or of a built-in scenario. If it is a []byte, it is the text of a
// scenario.
//
// If the traces differ, the test fails. The failure message contains the first event that differs, its tick, the
// seeds of generated timers, and the path of an HTML page. The page shows the run at that event or, if the
// scenario differs, at the first operation that differs.
//
// With -simtest.update, the file is written instead, compressed with gzip if its name ends in .gz.
func Golden[S string | []byte](t testing.TB, scenario S, file string) {
	t.Helper()
	p, err := golden(any(scenario), file, writeTrace, verify)
	if diff := (*tracefile.Diff)(nil); errors.As(err, &diff) {
		t.Fatalf("golden %s: %s", file, describe(p, diff)+show(t, p, diff, file))
	}
	if err != nil {
		t.Fatalf("golden %s: %v", file, err)
	}
}

// golden plans a scenario and calls check, which runs it and compares the run with the golden file. With
// -simtest.update, it instead calls fill to write the run and atomically replaces the golden file. It returns
// the program of the scenario, or nil if the scenario cannot be read or planned.
func golden(scenario any, file string, fill func(io.Writer, *program.Program) error, check func(*program.Program, *os.File) error) (*program.Program, error) {
	data, err := source(scenario)
	if err != nil {
		return nil, err
	}
	p, err := program.Load(data)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	if *updating {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return p, err
		}
		return p, atomicfile.Write(file, 0o666, atomicfile.Packed(file, func(w io.Writer) error { return fill(w, p) }))
	}
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return p, errors.New("there is no such file; run the test with -simtest.update to write it")
	}
	if err != nil {
		return p, err
	}
	defer f.Close()
	return p, check(p, f)
}

// source returns the text of a scenario. scenario is either a []byte, the text itself, or a string, the name of
// a file or of a built-in scenario.
func source(scenario any) ([]byte, error) {
	name, named := scenario.(string)
	if !named {
		return scenario.([]byte), nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		if data, ok := library.Builtin(name); ok {
			return data, nil
		}
		return nil, fmt.Errorf("%q is neither a file nor a built-in scenario", name)
	}
	return data, err
}

// writeTrace runs p and writes its trace to w.
func writeTrace(w io.Writer, p *program.Program) error {
	_, err := tracefile.Write(context.Background(), w, p, tracefile.Options{})
	return err
}

// verify compares the trace of the run of p with the golden file f. The error is a *tracefile.Diff if they
// differ.
func verify(p *program.Program, f *os.File) error {
	_, err := tracefile.VerifyProgram(context.Background(), p, f, tracefile.Options{})
	return err
}

// describe returns the failure message for d, the difference between the run of p and its golden file.
func describe(p *program.Program, d *tracefile.Diff) string {
	var b strings.Builder
	if d.Line == 1 {
		b.WriteString(firstOperation(d))
	} else {
		fmt.Fprintf(&b, "the first event that differs is on line %d, at tick %s", d.Line, tick(d.Want))
	}
	got, want := d.Shown()
	fmt.Fprintf(&b, "\n  file: %s\n  run:  %s", got, want)
	for _, g := range p.Scenario.Generate {
		fmt.Fprintf(&b, "\n  seed: %d (timers %s…)", g.Seed, g.Prefix)
	}
	b.WriteString("\n  (-simtest.update writes the file anew)")
	return b.String()
}

// firstOperation returns a description of the first operation in which the header lines d.Got and d.Want differ
// or, if the operations are equal, of the difference between the scenarios.
func firstOperation(d *tracefile.Diff) string {
	file, run := operationsOf(d.Got), operationsOf(d.Want)
	i := firstDifferent(file, run)
	switch {
	case i == len(file) && i == len(run):
		return "the scenario differs from the one in the file: " + d.Explain()
	case i == len(file):
		return fmt.Sprintf("call %d, %s, is not in the file", i+1, run[i])
	case i == len(run):
		return fmt.Sprintf("call %d of the file, %s, is missing now", i+1, file[i])
	case file[i].named() != run[i].named():
		return fmt.Sprintf("call %d differs: %s in the file, %s now", i+1, file[i], run[i])
	case file[i].Every != run[i].Every: // of a scenario that was not recorded
		return fmt.Sprintf("call %d, timer %s at tick %d: every %d in the file, %d now", i+1, run[i].Timer, run[i].At, file[i].Every, run[i].Every)
	}
	return fmt.Sprintf("call %d, timer %s at tick %d: delay %d in the file, %d now", i+1, run[i].Timer, run[i].At, file[i].Delay, run[i].Delay)
}

// firstDifferent returns the index of the first operation in which a and b differ. If one list is a
// prefix of the other, it returns the length of the shorter list.
func firstDifferent(a, b []operation) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// operation is an operation in the header of a trace, with the fields that a failure message shows.
type operation struct {
	At    int64
	Op    string
	Timer string
	Delay int64
	Every int64
}

// named returns a copy of o without its delay and interval, for comparing the other fields.
func (o operation) named() operation { o.Delay, o.Every = 0, 0; return o }

func (o operation) String() string {
	text := fmt.Sprintf("%s %s at tick %d", o.Op, o.Timer, o.At)
	if o.Op != "cancel" {
		text += fmt.Sprintf(" with delay %d", o.Delay)
	}
	if o.Every > 0 {
		text += fmt.Sprintf(" every %d", o.Every)
	}
	return text
}

// operationsOf returns the operations in header, the first line of a trace, or nil if header cannot be decoded.
func operationsOf(header string) []operation {
	var h struct {
		Scenario struct {
			Workload struct{ Ops []operation }
		}
	}
	if json.Unmarshal([]byte(header), &h) != nil {
		return nil
	}
	return h.Scenario.Workload.Ops
}

// tick returns the value of the "tick" field in line, a line of a trace, or "" if there is none.
func tick(line string) string {
	_, rest, _ := strings.Cut(line, `"tick":`)
	return rest[:strings.IndexAny(rest+",", ",}")]
}
