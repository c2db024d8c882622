// Package importer reads files from other sources as scenarios: complete traces (JSON
// Lines, packed or not, inside a self-contained HTML player, or as the Chrome Trace Event
// JSON that package export writes) and workloads (CSV, JSON Lines, the text of the Linux
// kernel's timer events). A trace is compared line by line with the run of its scenario. An
// error in a file is reported with its line, and the file is refused.
//
// Start reading at [Read], then detect.go (kinds of files), workload.go (rows to
// operations) and linux.go.
package importer

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// Limits of the files that are read. A file that exceeds one is refused with an error that
// names it.
const (
	UnpackedMax = 8 << 30  // bytes that a packed file may unpack to
	LineMax     = 64 << 10 // bytes of a line of a workload
	PlayerMax   = 16 << 20 // bytes of an HTML file before its trace
	FaultsMax   = 20       // faults of lines that are listed; further ones are counted

	lookBytes   = 4 << 10 // from which the kind of a file is detected
	bufferBytes = 64 << 10
	pauseLines  = 1 << 12 // lines read between two checks of the context
)

// A Kind is the kind of a file.
type Kind string

// Kinds of files.
const (
	KindScenario Kind = "scenario" // JSON
	KindTrace    Kind = "trace"    // JSON Lines with a header
	KindPlayer   Kind = "player"   // HTML with a trace inside
	KindPerfetto Kind = "perfetto" // Chrome Trace Event JSON, written by package export
	KindTable    Kind = "csv"      // a workload, one operation per row
	KindLines    Kind = "jsonl"    // a workload, one operation per object
	KindLinux    Kind = "linux"    // text of the kernel's timer events
)

// IsTrace reports whether a file of this kind holds the events of a run, not only a workload.
func (k Kind) IsTrace() bool { return k == KindTrace || k == KindPlayer || k == KindPerfetto }

// Options configures Read. The zero Options is valid.
type Options struct {
	Name     string              // of the file: a workload's scenario is named after it
	Lanes    []scenario.LaneSpec // of a workload's scenario; none: default lanes
	Workload WorkloadOptions
	Progress func(bytes int64) // called from time to time with the number of bytes read; may be nil
	Plan     program.Options   // for planning and running scenarios
}

// WorkloadOptions configures the reading of workloads and of kernel timer events.
type WorkloadOptions struct {
	Tick    time.Duration     // length of a workload's base tick; 0: 1 ms
	At      string            // unit of the numbers in `at`: "ticks", or "s", "ms", "us" or "ns" of Unix time; "": detected from the first
	Rebase  bool              // move the first operation to tick 0
	Map     map[string]string // field of a workload → name of the file's column; other columns are ignored
	SkipBad int64             // number of bad lines that are ignored instead of refusing the file
	HZ      int64             // the kernel's jiffies per second; 0: detected, or a guess
}

// Result is the result of reading a file.
type Result struct {
	Kind    Kind
	Program *program.Program
	Events  int64         // of a trace: number of verified events
	Notes   []say.Message // for the user, about how the file was read
}

// Read reads a file, packed by gzip or not. The error is *Fault or *Faults for a file or lines
// that are malformed, *tracefile.Diff for a trace that differs from the run of its scenario (the
// Result then has the Program), *tracefile.LineError or *scenario.InputError for a malformed trace or
// scenario, or that of r or ctx.
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
	if res != nil {
		res.Kind = kind
	}
	return res, err
}

// readers holds the function that reads each kind of file.
var readers = map[Kind]func(context.Context, *bufio.Reader, *Options) (*Result, error){
	KindScenario: readScenario,
	KindTrace:    readTrace,
	KindPlayer:   readPlayer,
	KindPerfetto: readPerfetto,
	KindTable:    readTable,
	KindLines:    readLines,
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

// readTrace reads and verifies a trace.
func readTrace(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	p, sum, err := tracefile.Read(ctx, in, tracefile.Options{Plan: o.Plan})
	if p == nil {
		return nil, err
	}
	return &Result{Program: p, Events: sum.Events}, err
}
