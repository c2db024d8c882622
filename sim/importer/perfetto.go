package importer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// perfettoHeadMax returns the maximum size in bytes of the first line of a Perfetto file. The line contains the
// scenario file as a JSON string. Only quotes and backslashes are escaped in it, so the string is at most twice
// as long as the scenario file.
func perfettoHeadMax(o *Options) int { return 2*o.Plan.Bytes() + 1<<10 }

// readPerfetto reads a Chrome Trace Event JSON file written by package export. It plans the scenario in the
// file and compares the file with a new export of that scenario.
func readPerfetto(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	head, err := in.ReadSlice('\n')
	line := bytes.Clone(head)
	for errors.Is(err, bufio.ErrBufferFull) && len(line) < perfettoHeadMax(o) {
		head, err = in.ReadSlice('\n')
		line = append(line, head...)
	}
	scenario, ok := scenarioOf(line)
	if !ok {
		return nil, refuse("this Chrome trace has no scenario in its first line; expected one written by Wheelscope, unchanged")
	}
	p, err := program.LoadWith([]byte(scenario), o.Plan)
	if err != nil {
		return nil, err
	}
	if err := o.Plan.ReserveEngine(p); err != nil {
		return nil, err
	}
	events, err := compareWith(ctx, p, "perfetto", io.MultiReader(bytes.NewReader(line), in))
	return &Result{Program: p, Events: events}, err
}

// scenarioOf returns the scenario in line, the first line of a Perfetto file, or false if there is none.
func scenarioOf(line []byte) (string, bool) {
	var top struct {
		Metadata map[string]any `json:"metadata"`
	}
	whole := append(slices.Clip(bytes.TrimRight(line, "\n")), "]}"...)
	if json.Unmarshal(whole, &top) != nil {
		return "", false
	}
	text, ok := top.Metadata[export.ScenarioKey].(string)
	return text, ok
}

// compareWith exports p in the given format, compares the output with file byte by byte, and returns the number
// of events of the run. If the two differ, the error is a *tracefile.Diff or, if file ends within a line or
// continues after the end of the output, a *tracefile.LineError.
func compareWith(ctx context.Context, p *program.Program, format string, file io.Reader) (int64, error) {
	m := &matcher{in: bufio.NewReaderSize(file, bufferBytes), line: 1}
	var events int64
	err := export.Write(ctx, m, p, format, export.Options{Counted: func(n int64) { events = n }})
	switch {
	case errors.Is(err, errOther):
		return 0, m.diff
	case err != nil:
		return 0, err
	}
	if _, err := m.in.ReadByte(); err != io.EOF {
		return 0, &tracefile.LineError{Line: m.line, Reason: scenario.Fault("", "the end is followed by more text")}
	}
	return events, nil
}

// errOther is returned by matcher.Write at the first difference between the export and the file. It ends the
// export.
var errOther = errors.New("importer: the export and the file differ")

// shownMax limits how much an error message quotes of a line that differs from the expected one: at most shownMax
// bytes from the beginning of the line, and at most shownMax bytes from the first difference.
const shownMax = 512

// matcher is a writer that compares what is written to it with a file.
type matcher struct {
	in   *bufio.Reader
	buf  []byte
	line int64  // number of the current line, counting from 1
	same []byte // beginning of the current line that is the same in file and output, at most shownMax bytes
	diff *tracefile.Diff
}

func (m *matcher) Write(block []byte) (int, error) {
	if len(block) > cap(m.buf) {
		m.buf = make([]byte, len(block))
	}
	n, err := io.ReadFull(m.in, m.buf[:len(block)])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	got := m.buf[:n]
	if bytes.Equal(got, block) {
		m.pass(block)
		return len(block), nil
	}
	same := 0
	for same < n && got[same] == block[same] {
		same++
	}
	m.pass(block[:same])
	if same == n && len(m.same) > 0 { // otherwise both lines would be shown alike
		return 0, &tracefile.LineError{Line: m.line, Reason: scenario.Fault("", "cut short: it does not end in a newline")}
	}
	rest, _ := m.in.Peek(shownMax)
	m.diff = &tracefile.Diff{Line: m.line, Got: m.shown(append(bytes.Clone(got[same:]), rest...)), Want: m.shown(block[same:])}
	return 0, errOther
}

// pass advances m past text, which is the same in the file and the output.
func (m *matcher) pass(text []byte) {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		m.line += int64(n)
		m.same = m.same[:0]
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	m.same = append(m.same, text[:min(len(text), shownMax-len(m.same))]...)
}

// shown returns the current line in the form that an error message quotes: m.same, the part in which the file and the
// output agree, followed by rest up to its first newline, but by at most shownMax bytes of it.
func (m *matcher) shown(rest []byte) string {
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	line := append(bytes.Clone(m.same), rest[:min(len(rest), shownMax)]...)
	return string(bytes.ToValidUTF8(line, []byte("�")))
}
