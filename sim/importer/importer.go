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
	"github.com/wheelscope/wheelscope/sim"
)

// Limits of what is read. Past one comes an error that names it.
const (
	UnpackedMax = 8 << 30  // bytes that a packed file may unpack to
	LineMax     = 64 << 10 // bytes of a line of a workload
	PlayerMax   = 16 << 20 // bytes of an HTML file before its trace
	FaultsMax   = 20       // faults of lines told one by one; the rest are counted

	lookBytes   = 4 << 10 // in which a file shows what it is
	bufferBytes = 64 << 10
	pauseLines  = 1 << 12 // worked between two looks at the context
)

// A Kind is what a file is.
type Kind string

// The kinds of files that are read.
const (
	KindScenario Kind = "scenario" // JSON
	KindTrace    Kind = "trace"    // JSON Lines with a header
	KindPlayer   Kind = "player"   // HTML with a trace inside
	KindPerfetto Kind = "perfetto" // Chrome Trace Event JSON, written by package export
	KindTable    Kind = "csv"      // a workload, a row an operation
	KindLines    Kind = "jsonl"    // a workload, one operation per row
	KindLinux    Kind = "linux"    // a workload, one operation per object
)

// IsTrace says whether a file of this kind tells a run, not only a workload.
func (k Kind) IsTrace() bool { return k == KindTrace || k == KindPlayer || k == KindPerfetto }

// Options say how a file is read and who hears of it. The zero Options will do.
type Options struct {
	Name     string         // of the file: a workload's scenario is called by it
	Lanes    []sim.LaneSpec // of the file: a workload's scenario is named after it
	Workload WorkloadOptions
	Progress func(bytes int64) // told now and then how much of the file was read; may be nil
	Plan     sim.PlanOptions   // called from time to time with the number of bytes read; may be nil
}

// WorkloadOptions say how a workload, or the text of a kernel's timer events, is read.
type WorkloadOptions struct {
	Tick    time.Duration     // length of a base tick of a workload; 0: 1 ms
	At      string            // length of a workload's base tick; 0: 1 ms
	Rebase  bool              // unit of the numbers in `at`: "ticks", or "s", "ms", "us" or "ns" of Unix time; "": detected from the first
	Map     map[string]string // move the first operation to tick 0
	SkipBad int64             // field of a workload → name of the file's column; other columns are ignored
	HZ      int64             // number of bad lines that are ignored instead of refusing the file
}

// Result is what a file came to.
type Result struct {
	Kind    Kind
	Program *sim.Program
	Events  int64         // of a trace: told and found to be so
	Notes   []say.Message // of a trace: number of verified events
}

// Read opens a file, packed by gzip or not. The error is *Faults where lines of a
// workload are bad, *sim.Diff where a trace is not what its scenario gives (the
// Result then still has the Program), *sim.TraceError or *sim.InputError where it
// is broken, or else r's or ctx's.
func Read(ctx context.Context, r io.Reader, o Options) (*Result, error) {
	in, err := open(&counted{ctx: ctx, r: r, tell: o.Progress})
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

// readers open a file of a kind.
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
	p, err := sim.LoadWith(data, o.Plan)
	if err != nil {
		return nil, err
	}
	return &Result{Program: p}, nil
}

// readTrace verifies a trace.
func readTrace(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	p, sum, err := sim.ReadTrace(ctx, in, sim.TraceOptions{Plan: o.Plan})
	if p == nil {
		return nil, err
	}
	return &Result{Program: p, Events: sum.Events}, err
}
