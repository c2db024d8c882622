package compare

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// TraceSide is a well-formed trace whose events differ from the run of its scenario. A comparison
// reads its events from the lines of the trace, which contain no costs.
type TraceSide struct {
	Diff *tracefile.Diff // first line that differs from the trace of a new run of the scenario
	data []byte          // contents of the trace file, possibly compressed
}

// Open returns a reader for the trace, which is decompressed if necessary.
func (t *TraceSide) Open() (io.Reader, error) { return tracefile.NewReader(bytes.NewReader(t.data)) }

// OpenSide returns a Side for data, the contents of a scenario file or of a trace file. A trace may be
// compressed with gzip. OpenSide runs the scenario of a trace, and sets Side.Trace only if the events
// of the trace differ from that run. The errors are those of program.LoadWith and tracefile.Read.
func OpenSide(ctx context.Context, name string, data []byte, o tracefile.Options) (Side, error) {
	if !isTrace(data) {
		p, err := program.LoadWith(data, o.Plan)
		return Side{Name: name, Program: p}, err
	}
	p, _, err := tracefile.Read(ctx, bytes.NewReader(data), o)
	var diff *tracefile.Diff
	if errors.As(err, &diff) {
		return Side{Name: name, Program: p, Trace: &TraceSide{diff, data}}, nil
	}
	return Side{Name: name, Program: p}, err
}

// isTrace reports whether data begins like a trace. It returns true for any compressed data, because
// only traces may be compressed.
func isTrace(data []byte) bool {
	line, _, _ := bytes.Cut(data[:min(len(data), tracefile.HeaderFrame)], []byte("\n"))
	return tracefile.Packed(data) || bytes.HasPrefix(line, []byte(`{"wheelscope":`)) && bytes.Contains(line, []byte(`"kind":"trace"`))
}

// source returns a recordSource that reads the side's records from its trace or, if it has none, from a run of its
// program.
func (s *Side) source(ctx context.Context) (recordSource, error) {
	if s.Trace == nil {
		return newRunSource(ctx, s)
	}
	in, err := s.Trace.Open()
	if err != nil {
		return nil, err
	}
	t := &traceSource{p: s.Program, in: bufio.NewReaderSize(in, tracefile.BlockBytes), check: tracefile.NewChecker(s.Program), at: 1, linesMax: tracefile.TickMax}
	for range s.Program.Scenario.Lanes {
		t.sums = append(t.sums, laneSum{late: engine.Lateness{Count: map[int64]int64{}}})
	}
	if _, err := tracefile.ReadHeaderLine(t.in, &program.Options{}); err != nil {
		return nil, err
	}
	return t, t.read()
}

// traceSource reads the records of one side of a comparison from the lines of a trace.
type traceSource struct {
	p        *program.Program
	in       *bufio.Reader
	check    *tracefile.Checker
	at       int64           // number of the last line read
	ahead    engine.Record   // next event, read in advance; valid if ended is false
	ended    bool            // whether the end line, the last line of a trace, has been read
	text     []byte          // line from which ahead was read
	recs     []engine.Record // records returned by the last call to recordsAt
	names    []string        // name of the timer of each record in recs
	lines    []byte          // lines of the records in recs, each ending with a newline
	linesMax int             // maximum total length of the lines of one tick, in bytes; recordsAt fails if a tick exceeds it
	sums     []laneSum       // results so far, indexed by lane
}

// laneSum accumulates the result of a lane from the lines of a trace.
type laneSum struct {
	engine.LaneResult
	live int64
	late engine.Lateness
}

// read reads the next line of the trace. It stores the event in t.ahead and the line in t.text. If
// the line is the end line, it sets t.ended.
func (t *traceSource) read() error {
	t.at++
	text, err := tracefile.ReadLine(t.in, t.at)
	if err == io.EOF {
		return tracefile.NoEnd(t.at)
	}
	if err != nil {
		return err
	}
	t.check.Rec = &t.ahead
	if err := t.check.Line(text); err != nil {
		return &tracefile.LineError{Line: t.at, Reason: err}
	}
	t.text, t.ended = text, t.check.Ended
	if !t.ended {
		if err := t.checkID("id", t.ahead.ID); err != nil {
			return err
		}
		if t.ahead.Kind != wheel.KindHand { // there Before is a count
			if err := t.checkID("before", t.ahead.Before); err != nil {
				return err
			}
		}
	}
	t.ahead.Due, t.ahead.X = t.ahead.Relative(-t.p.Start) // lines contain ticks relative to start
	return nil
}

// checkID returns an error if id is greater than the ID of every timer of the scenario. An ID of 0,
// which means no timer, is valid. field is the name of the trace field that contains the ID, for the
// error message.
func (t *traceSource) checkID(field string, id uint32) error {
	if int64(id) <= int64(t.p.Timers()) {
		return nil
	}
	return &tracefile.LineError{Line: t.at, Reason: scenario.Fault("", "%s is %d, the scenario has %d timers", field, id, t.p.Timers())}
}

func (t *traceSource) next() (int64, bool) { return t.ahead.Tick, !t.ended }

func (t *traceSource) recordsAt(tick int64) ([]engine.Record, error) {
	t.recs, t.names, t.lines = t.recs[:0], t.names[:0], t.lines[:0]
	for !t.ended && t.ahead.Tick == tick {
		t.recs, t.names = append(t.recs, t.ahead), append(t.names, t.check.Name)
		t.lines = append(append(t.lines, t.text...), '\n')
		if len(t.lines) > t.linesMax {
			return nil, &tracefile.LineError{Line: t.at, Reason: scenario.Fault("", "the lines of one tick have more than %d bytes", t.linesMax)}
		}
		t.sums[t.ahead.Lane].add(&t.ahead, t.p.Start)
		if err := t.read(); err != nil {
			return nil, err
		}
	}
	return t.recs, nil
}

func (t *traceSource) line(i int) string { return strings.Split(string(t.lines), "\n")[i] }

// add adds event r to the result of its lane. start is the start tick of the scenario.
func (l *laneSum) add(r *engine.Record, start int64) {
	switch r.Kind {
	case wheel.KindSchedule:
		l.live++
	case wheel.KindReject:
		l.Rejected++
		l.live--
	case wheel.KindCancel, wheel.KindMark:
		l.Cancelled++
		l.live--
	case wheel.KindFinding:
		l.Findings++
	case wheel.KindExpire:
		late := r.Late(start)
		l.Fired++
		l.live--
		if late < 0 {
			l.Early++
		} else if late > 0 {
			l.Late++
		}
		l.late.Add(late)
	}
}

// results returns the results of the lanes. Costs and memory are −1, because trace lines do not
// contain them.
func (t *traceSource) results() []engine.LaneResult {
	var rows []engine.LaneResult
	for i, lane := range t.p.Scenario.Lanes {
		r := t.sums[i].LaneResult
		r.Lane, r.Algorithm, r.Pending = lane.ID, lane.Algorithm, t.sums[i].live
		r.Cost, r.WorstTick, r.WorstTickAt, r.BytesPerTimer = -1, -1, -1, -1
		r.Operations, r.PassedOver, r.Ticks, r.Bytes = -1, -1, -1, -1
		if keys := t.sums[i].late.Sorted(); len(keys) > 0 {
			r.EarlyMax, r.LateMax = max(0, -keys[0]), max(0, keys[len(keys)-1])
			r.LateP99 = max(0, t.sums[i].late.Percentile(keys, 99))
		}
		rows = append(rows, r)
	}
	return rows
}
