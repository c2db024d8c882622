// Package importer reads files from other sources as scenarios: complete traces (JSON Lines, compressed or
// not, inside a self-contained HTML player, or as the Chrome Trace Event JSON that package export writes) and
// workloads (CSV, JSON Lines, recordings of package timer, or the text of the Linux kernel's timer events). A trace is compared line by
// line with the run of its scenario. An error in a file is reported with its line number, and the file is
// rejected.
//
// Start reading at [Read], then detect.go (kinds of files), rows.go (CSV and JSON Lines), workload.go (rows
// to operations) and linux.go.
package importer

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// Limits of the files that are read. A file that exceeds a limit is rejected with an error that
// names the limit.
const (
	UnpackedMax = 8 << 30  // maximum size of a compressed file after decompression, in bytes
	LineMax     = 64 << 10 // maximum number of bytes in a line of a workload
	PlayerMax   = 16 << 20 // maximum number of bytes before the trace in an HTML file
	FaultsMax   = 20       // maximum number of faults that are listed; further faults are only counted

	lookBytes   = 4 << 10  // number of bytes at the beginning of a file that are examined to determine its kind
	bufferBytes = 64 << 10 // size of a read buffer in bytes
	pauseLines  = 1 << 12  // number of lines read between two checks of the context
)

// Kind is the kind of an imported file: its format and what it contains.
type Kind string

// Kinds of files.
const (
	KindScenario Kind = "scenario"  // a scenario as JSON
	KindTrace    Kind = "trace"     // a trace: JSON Lines with a header
	KindPlayer   Kind = "player"    // a self-contained HTML player that contains a trace; systrace's HTML is KindLinux
	KindPerfetto Kind = "perfetto"  // Chrome Trace Event JSON, written by package export
	KindTable    Kind = "csv"       // a workload as a table, such as CSV, with one operation per row
	KindLines    Kind = "jsonl"     // a workload as JSON Lines, with one object per operation
	KindRecorded Kind = "recording" // the timers of a program, recorded by package timer
	KindLinux    Kind = "linux"     // timer events of the Linux kernel as text, such as the output of trace-cmd report
)

// IsTrace reports whether a file of this kind contains the events of a run, not only a workload.
func (k Kind) IsTrace() bool { return k == KindTrace || k == KindPlayer || k == KindPerfetto }

// Options holds options for Read. The zero Options is valid.
type Options struct {
	Name     string              // name of the file, from which the name of a workload's scenario is derived
	Lanes    []scenario.LaneSpec // lanes for a workload; if empty, default lanes are used
	Workload WorkloadOptions
	Progress func(bytes int64) // called from time to time with the number of bytes read; may be nil
	// Spill, if not nil, is called for each operation of a workload with more than scenario.OpsMax of them, in order of
	// time, and Result.Program is nil. The operation is valid during the call. CSV, JSON Lines and recordings are spilled.
	Spill func(op *scenario.Op)
	Plan  program.Options // options for planning and running scenarios
}

// WorkloadOptions holds options for reading workloads and kernel timer events.
type WorkloadOptions struct {
	Tick time.Duration // length of a base tick of a workload; 0 means 1 ms
	// At is the unit of the times in the file: "ticks", or "s", "ms", "us" or "ns" for Unix times. If At is "",
	// the unit is detected.
	At     string
	Rebase bool // whether to shift all operations so that the first is at tick 0
	// Map maps fields of a workload to the names of their columns in the file. If it is not empty, columns with
	// other names are ignored.
	Map     map[string]string
	MapOp   map[string]string // maps names of operations in the file to those of a workload, such as "start" to "schedule"
	SkipBad int64             // maximum number of invalid lines to skip; a file with more of them is rejected
	HZ      int64             // jiffies (ticks of the kernel) per second in a kernel trace; if 0, the number is detected or guessed
}

// Result is the result of reading a file.
type Result struct {
	Kind    Kind
	Program *program.Program
	Name    string          // name of a workload that was spilled
	Tick    time.Duration   // length of its base tick
	Events  int64           // number of events in a verified trace; 0 for other files
	Notes   []texts.Message // messages for the user about how the file was read
}

// Read reads a file, which may be compressed with gzip. For a malformed file or line, it returns a *Fault or
// *Faults, and for a malformed trace or scenario a *tracefile.LineError or *scenario.InputError. Other errors
// come from r, ctx or the functions in o.Plan. If a trace differs from the run of its scenario, the error is a
// *tracefile.Diff, and Read also returns a Result whose Program is set.
func Read(ctx context.Context, r io.Reader, o Options) (*Result, error) {
	in, err := open(&counted{ctx: ctx, r: r, report: o.Progress})
	if err != nil {
		return nil, err
	}
	head, err := in.Peek(lookBytes)
	if err != nil && err != io.EOF {
		return nil, readError(err)
	}
	kind, fault := kindOf(head)
	if len(o.Workload.Map) > 0 {
		kind, fault = mappedKind(head)
	}
	if fault != nil {
		return nil, fault
	}
	res, err := readers[kind](ctx, in, &o)
	if res != nil && res.Kind == "" {
		res.Kind = kind
	}
	return res, err
}

// readers maps each kind of file to the function that reads it.
var readers = map[Kind]func(context.Context, *bufio.Reader, *Options) (*Result, error){
	KindScenario: readScenario,
	KindTrace:    readTrace,
	KindPlayer:   readPlayer,
	KindPerfetto: readPerfetto,
	KindTable:    readTable,
	KindLines:    readLines,
	KindRecorded: readRecording,
	KindLinux:    readLinux,
}

// readScenario reads a scenario file.
func readScenario(_ context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	data, err := io.ReadAll(io.LimitReader(in, int64(o.Plan.Bytes())+1))
	if err != nil {
		return nil, readError(err)
	}
	p, err := program.LoadWith(data, o.Plan)
	if err != nil {
		return nil, err
	}
	return &Result{Program: p}, nil
}

// readTrace reads a trace and verifies it.
func readTrace(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	p, sum, err := tracefile.Read(ctx, in, tracefile.Options{Plan: o.Plan})
	if p == nil {
		return nil, err
	}
	return &Result{Program: p, Events: sum.Events}, err
}
